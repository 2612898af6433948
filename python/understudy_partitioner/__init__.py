# SPDX-License-Identifier: Apache-2.0
"""Partitions global-view programs with XLA's own SPMD partitioner.

`understudy` starts this package as a child process (`python -m understudy_partitioner`) and sends
requests over its standard input; see wire.py for the protocol. It needs jaxlib, not jax.
"""
