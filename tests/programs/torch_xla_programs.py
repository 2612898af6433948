#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the folders torch_xla_* of programs in HLO with PyTorch/XLA 2.9: HLO protos as torch_xla hands
them to a plugin, before any partitioning. Expected results are those of PyTorch on a CPU, without
torch_xla.

    torch_xla_programs.py OUT NAME

One program per process: torch_xla chooses SPMD or replica mode for a process. Needs torch 2.9.1 and
torch_xla 2.9.0.
"""
import copy
import json
import os
import pathlib
import sys

sys.setdlopenflags(os.RTLD_LAZY | os.RTLD_GLOBAL)
os.environ.update(PJRT_DEVICE="CPU", CPU_NUM_DEVICES="8", XLA_ALWAYS_ALLREDUCE="1")  # also for one process

import numpy as np
import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.spmd as xs
import torch_xla.runtime as xr


def save(folder, devices, outputs, wanted, given=None):
    """`outputs` are lazy XLA tensors, `wanted` their values. `given`: of each argument, in place of
    torch_xla's own value, one array per replica in a leading axis; then `wanted` has that axis too."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "program.hlo.pb").write_bytes(torch_xla._XLAC._get_xla_tensors_hlo_proto(outputs))
    _, parameters = torch_xla._XLAC._get_tensors_xla_device_data_node(outputs)
    if given is not None:
        parameters = [given(one.cpu()) for one in parameters]
    rows = {"args": [], "results": []}
    for key, kind, arrays in (("args", "arg", parameters), ("results", "out", wanted)):
        for i, one in enumerate(arrays):
            array = one.detach().cpu().numpy()
            np.save(folder / f"{kind}{i}.npy", array)
            row = {"file": f"{kind}{i}.npy", "dtype": str(array.dtype), "shape": list(array.shape)}
            if given is not None:
                row["per_replica"] = True
            if key == "results":
                # 32 spacings of f32 at the largest value: sums in another order.
                row.update(rtol=4.8e-7, atol=float(f"{32 * 2**-23 * np.abs(array).max():.1e}"))
            rows[key].append(row)
    manifest = {"name": folder.name, "devices": devices, **rows}
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")


def torch_xla_spmd_mlp(folder):
    """SPMD: one SGD step of a hidden layer on a 4 x 2 mesh, batch over data, layer over model."""
    xr.use_spmd()
    mesh = xs.Mesh(np.arange(8), (4, 2), ("data", "model"))
    torch.manual_seed(0)
    here = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.GELU(), torch.nn.Linear(32, 8))
    x, y = torch.randn(16, 16), torch.randn(16, 8)

    def step(model, x, y, mark):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        optimizer.zero_grad()
        hidden = model[1](model[0](x))
        mark(hidden, ("data", "model"))
        loss = ((model[2](hidden) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        return [loss, *model.parameters()]

    there = copy.deepcopy(here).to(xm.xla_device())
    xd, yd = (one.to(xm.xla_device()) for one in (x, y))
    for tensor, spec in ((xd, ("data", None)), (yd, ("data", None)),
                         (there[0].weight, ("model", None)), (there[0].bias, ("model",)),
                         (there[2].weight, (None, "model"))):
        xs.mark_sharding(tensor, mesh, spec)
    torch_xla.sync()
    lazy = step(there, xd, yd, lambda tensor, spec: xs.mark_sharding(tensor, mesh, spec))
    save(folder, 8, lazy, step(here, x, y, lambda *_: None))


def torch_xla_spmd_attention(folder):
    """SPMD: attention on a mesh of three axes, whose devices are in another order."""
    xr.use_spmd()
    mesh = xs.Mesh(np.array([5, 1, 0, 4, 7, 3, 2, 6]), (2, 2, 2), ("data", "heads", "seq"))
    torch.manual_seed(1)
    qkv = [torch.randn(4, 4, 8, 4) for _ in range(3)]

    def attend(q, k, v):
        p = torch.softmax(q @ k.transpose(-1, -2) / 2, -1)
        return p @ v

    lazy = [one.to(xm.xla_device()) for one in qkv]
    for one in lazy:
        xs.mark_sharding(one, mesh, ("data", "heads", "seq", None))
    torch_xla.sync()
    out = attend(*lazy)
    xs.mark_sharding(out, mesh, (("data", "seq"), "heads", None, None))
    want = attend(*qkv)
    save(folder, 8, [out, out.sum((0, 2))], [want, want.sum((0, 2))])


def torch_xla_all_reduce(folder):
    """Replica mode: one all_reduce of several operands with a scale, over two groups of replicas,
    and a second one of another reduction. Every replica has data of its own."""
    device = xm.xla_device()
    torch.manual_seed(2)
    a, b, c = torch.randn(4, 3), torch.randn(5), torch.randn(2, 2)
    lazy = [one.to(device) for one in (a, b, c)]
    torch_xla.sync()
    first, second, third = lazy[0] * 2, lazy[1] + 1, lazy[2] * 3
    xm.all_reduce(xm.REDUCE_SUM, [first, second], scale=0.25, groups=[[0, 2], [1, 3]])  # in place
    largest = xm.all_reduce(xm.REDUCE_MAX, third, groups=[[0, 1, 2, 3]])

    def of_replicas(value):  # scalars are torch_xla's own constants
        steps = torch.arange(4.0).reshape(4, *[1] * value.dim())
        return value + steps * (0.5 if value.dim() else 0.0) * torch.sin(value)

    def in_pairs(values):
        sums = (values[0] + values[2], values[1] + values[3])
        return torch.stack([sums[0], sums[1], sums[0], sums[1]]) * 0.25

    wanted = [in_pairs(of_replicas(a) * 2), in_pairs(of_replicas(b) + 1),
              (of_replicas(c) * 3).max(0).values.expand(4, 2, 2).contiguous()]
    save(folder, 4, [first, second, largest], wanted, of_replicas)


if __name__ == "__main__":
    globals()[sys.argv[2]](pathlib.Path(sys.argv[1]) / sys.argv[2])
