// SPDX-License-Identifier: Apache-2.0
// The type rules of the operations, one function each, in the families of the StableHLO
// specification. They run after the signature (signature.h), whose attributes, families and ranks
// they rely on; sizes may be open. They throw Error{input}. Pure functions.
#pragma once

#include "program/ir/op_table.h"
#include "program/verify/check.h"

namespace understudy::program::rules {

using RuleFunction = void (*)(const Check&);

// The function of a rule, nullptr where the written types are trusted.
RuleFunction function_of(Rule rule);

// elementwise.cc
void each_same(const Check& check);
void real_part(const Check& check);
void complex(const Check& check);
void complex_parts(const Check& check);  // result 0 has the parts of operand 0
void compare(const Check& check);
void select(const Check& check);
void clamp(const Check& check);
void bitcast_convert(const Check& check);
void constant(const Check& check);
void iota(const Check& check);
void tuple(const Check& check);
void get_tuple_element(const Check& check);

// movement.cc
void reshape(const Check& check);
void transpose(const Check& check);
void broadcast(const Check& check);
void broadcast_in_dim(const Check& check);
void concatenate(const Check& check);
void slice(const Check& check);
void dynamic_slice(const Check& check);
void dynamic_update_slice(const Check& check);
void pad(const Check& check);
void reverse(const Check& check);

// indexing.cc
void gather(const Check& check);
void dynamic_gather(const Check& check);
void torch_index_select(const Check& check);
void scatter(const Check& check);
void sort(const Check& check);
void top_k(const Check& check);
void map(const Check& check);

// reduction.cc
void reduce(const Check& check);
void reduce_window(const Check& check);
void select_and_scatter(const Check& check);

// dot.cc
void dot_general(const Check& check);
void dot(const Check& check);
void ragged_dot(const Check& check);

// convolution.cc
void convolution(const Check& check);
void dynamic_conv(const Check& check);

// linear_algebra.cc
void triangular_solve(const Check& check);
void cholesky(const Check& check);
void fft(const Check& check);
void batch_norm(const Check& check);

// dynamic.cc
void dynamic_reshape(const Check& check);
void dynamic_broadcast_in_dim(const Check& check);
void dynamic_iota(const Check& check);
void dynamic_pad(const Check& check);
void real_dynamic_slice(const Check& check);
void get_dimension_size(const Check& check);
void set_dimension_size(const Check& check);
void rng(const Check& check);

// chlo.cc
void broadcast_binary(const Check& check);
void broadcast_complex(const Check& check);
void broadcast_select(const Check& check);
void constant_like(const Check& check);
void scan(const Check& check);

// messages.cc
void infeed(const Check& check);
void transfer(const Check& check);
void async_start(const Check& check);
void async_done(const Check& check);
void custom_call(const Check& check);

// control.cc
void while_loop(const Check& check);
void case_of(const Check& check);
void call(const Check& check);
void composite(const Check& check);

// shardy.cc
void manual_computation(const Check& check);
void named_computation(const Check& check);
void sharded(const Check& check);

// quantized.cc
void uniform_quantize(const Check& check);
void uniform_dequantize(const Check& check);
// An operation on quantized tensors: whether it takes them and they agree, then its `rule`
// (nullptr: none), which asks for sizes and is left out where they are open.
void quantized(const Check& check, RuleFunction rule, bool has_shapes);

// collective.cc
void all_reduce(const Check& check);
void reduce_scatter(const Check& check);
void all_gather(const Check& check);
void all_to_all(const Check& check);
void collective_permute(const Check& check);
void collective_broadcast(const Check& check);

}  // namespace understudy::program::rules
