"""The vector of tables on a GPU is that of the CPU, number by number, and other libraries share its memory."""

from importlib import import_module
from typing import Any

import numpy as np
import pytest

from suitors.lab.vector import VectorEnv
from support.gpu import GPU

ARRAYS = ("observations", "masks", "seats", "rewards", "over")
TABLES = 300
"""Not a multiple of the tables that a block of threads steps."""


def on_gpu(*arguments: Any, **named: Any) -> Any:
    from suitors.lab.cuda import CudaVectorEnv  # noqa: PLC0415 - only where there is a GPU

    return CudaVectorEnv(*arguments, **named)


def assert_same(here: VectorEnv, there: Any) -> None:
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(there, name).copy_to_host(), getattr(here, name), name)


@GPU
@pytest.mark.parametrize(
    ("slug", "players", "episode", "full"),
    [("classic", 2, "round", True), ("modern", 3, "match", False), ("premium", 6, "match", True)],
)
def test_a_gpu_steps_as_the_cpu_does(slug: str, players: int, episode: Any, full: bool) -> None:
    here = VectorEnv(slug, players, TABLES, episode=episode, full=full, seed=3, threads=1)
    there = on_gpu(slug, players, TABLES, episode=episode, full=full, seed=3)
    for _ in range(300):
        assert_same(here, there)
        here.step(here.sample_actions())
        there.step(there.sample_actions())
    there.check()
    for tables in (here, there):
        tables.reset(4)
    assert_same(here, there)


@GPU
def test_a_table_whose_action_is_not_legal_stays_and_is_told_of() -> None:
    here, there = VectorEnv("classic", 2, TABLES, full=True, threads=1), on_gpu("classic", 2, TABLES, full=True)
    chosen = here.masks.argmax(axis=1)
    for wrong in (-1, -2, here.space.actions, int(here.masks[7].argmin())):
        with pytest.raises(ValueError, match="table 7"):
            there.step(np.where(np.arange(TABLES) == 7, wrong, chosen), check=True)
        assert_same(here, there)
    there.step(np.where(np.arange(TABLES) == 7, -1, chosen))
    with pytest.raises(ValueError, match="table 7"):
        there.check()
    there.check()
    before = here.observations[7].copy()
    here.step(chosen)
    now = there.observations.copy_to_host()
    assert (now[7] == before).all()
    assert (np.delete(now, 7, 0) == np.delete(here.observations, 7, 0)).all()
    with pytest.raises(ValueError, match="300 actions are needed"):
        there.step(chosen[:5])


def torch_array(shared: Any) -> Any:
    return import_module("torch").from_dlpack(shared)


def cupy_array(shared: Any) -> Any:
    return import_module("cupy").asarray(shared)


def jax_array(shared: Any) -> Any:
    return import_module("jax.dlpack").from_dlpack(shared)


@GPU
@pytest.mark.parametrize(("library", "taken"), [("torch", torch_array), ("cupy", cupy_array), ("jax", jax_array)])
def test_other_libraries_share_the_arrays_and_choose_the_actions(library: str, taken: Any) -> None:
    pytest.importorskip(library)
    here, there = VectorEnv("classic", 2, TABLES, full=True, threads=1), on_gpu("classic", 2, TABLES, full=True)
    for _ in range(40):
        for name in ARRAYS:
            array = taken(getattr(there, name))
            assert pointer(array) == getattr(there, name).__cuda_array_interface__["data"][0]
            np.testing.assert_array_equal(host(array), getattr(here, name), name)
        there.step(taken(there.masks).argmax(1))
        here.step(here.masks.argmax(axis=1))
    there.check()


def pointer(array: Any) -> int:
    """Where an array of any library begins in GPU memory."""
    return int(array.data_ptr() if hasattr(array, "data_ptr") else array.__cuda_array_interface__["data"][0])


def host(array: Any) -> Any:
    """An array of any library as numpy's."""
    if hasattr(array, "cpu"):
        return array.cpu().numpy()
    return array.get() if hasattr(array, "get") else np.asarray(array)


@GPU
def test_tables_have_a_stream_of_their_own_if_they_are_given_one() -> None:
    torch = pytest.importorskip("torch")
    side = torch.cuda.Stream()
    here, there = (
        VectorEnv("classic", 2, TABLES, full=True, threads=1),
        on_gpu("classic", 2, TABLES, full=True, stream=side.cuda_stream),
    )
    for array in (*(getattr(there, name) for name in ARRAYS), there.column("tokens"), there.sample_actions()):
        assert array.__cuda_array_interface__["stream"] == side.cuda_stream
    with torch.cuda.stream(side):
        for _ in range(40):
            there.step(torch.from_dlpack(there.masks).argmax(1))
            here.step(here.masks.argmax(axis=1))
    assert (torch.from_dlpack(there.observations).cpu().numpy() == here.observations).all()
