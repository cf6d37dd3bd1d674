"""Workers by Dask distributed: those of a scheduler that is running, or processes on this machine."""

from __future__ import annotations

import asyncio
import logging
import queue
import sys
import time
import uuid
from collections.abc import Callable

import cloudpickle
import distributed
import distributed.comm

import kete_tune
from kete_tune.errors import ScriptError
from kete_tune.matches import MatchError
from kete_tune.shards import LOST, PLAYED, Shard, play_shard, unlike

# For a scheduler to answer, and for a first worker to be there.
CONNECT_SECONDS = 10
# How often a shard is given to another worker before the fault is looked for in the shard.
MOST_LOST = 20
# How often it is looked which workers there are, and how often at least `tell` is called.
LOOK_SECONDS, TELL_SECONDS = 3, 0.5

# Those that have a level of their own, so that their parent's does not count.
LOGGERS = ("distributed", "distributed.client", "distributed.nanny", "distributed.worker", "asyncio", "tornado")

cloudpickle.register_pickle_by_value(kete_tune)


class ByValue:
    """A function that travels with its code: workers and scheduler need no copy of the scripts, and always run the client's."""

    def __init__(self, function: Callable) -> None:
        self.code = cloudpickle.dumps(function)

    def __reduce__(self) -> tuple:
        return cloudpickle.loads, (self.code,)

    def __call__(self, *arguments: object) -> object:
        raise AssertionError("this is called on workers, as the function that it stands for")


def _play(words: list[str], files: dict[str, str]) -> tuple[str, str, bytes]:
    """A shard on a worker. A thread cannot be cancelled from outside, so the shard looks for itself whether it still is wanted."""
    worker = distributed.get_worker()
    key = worker.get_current_task()

    def wanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state == "executing" and worker.status.name in ("running", "paused", "closing_gracefully")

    outcome, message, records = play_shard(words, files, worker.local_directory, wanted)
    return outcome, f"worker {worker.address}: {message}" if message else "", records


def _refuse_silence(address: str) -> None:
    """Makes sure that a Dask scheduler is there. A Client that has failed to connect would say so once more when it is collected."""

    async def greet() -> None:
        comm = await distributed.comm.connect(address, timeout=CONNECT_SECONDS, **distributed.Security().get_connection_args("client"))
        await comm.close()

    try:
        asyncio.run(greet())
    except Exception as error:
        # Any, since something else than a scheduler can answer anything.
        raise ScriptError(f"no Dask scheduler answers at {address} ({error}); expected an address that `dask scheduler` prints, as in tcp://host:8786") from error


class Fleet:
    """The workers, from the first use of them until it is closed."""

    def __init__(self, scheduler: str | None, workers: int | None) -> None:
        self.scheduler, self.workers = scheduler, workers
        self.client: distributed.Client | None = None
        self.cluster: distributed.LocalCluster | None = None
        self.known: set[str] = set()
        self.looked = 0.0

    def __enter__(self) -> Fleet:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def connect(self) -> None:
        """Starts the workers, or connects to them."""
        if self.client is not None:
            return
        # What matters of Dask's own messages is told by the scripts, in a sentence.
        for name in LOGGERS:
            logging.getLogger(name).setLevel(logging.CRITICAL)
        if self.scheduler is not None:
            _refuse_silence(self.scheduler)
        address = self.scheduler or self._start_here()
        try:
            self.client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, TimeoutError) as error:
            raise ScriptError(f"the scheduler at {address} is gone: {error}") from error
        try:
            self.client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        except TimeoutError as error:
            self.close()
            raise ScriptError(f"the scheduler at {address} has no worker; `dask worker {address}` starts one, on each machine that is to play") from error
        self._same_python()

    def _start_here(self) -> str:
        """Starts workers on this machine, of one thread each. Returns the address of their scheduler."""
        try:
            # No dashboard, and the port of its server is any that is free, so that several runs do not meet at one.
            quiet = {"dashboard": False, "dashboard_address": "127.0.0.1:0"}
            self.cluster = distributed.LocalCluster(
                n_workers=self.workers, threads_per_worker=1, processes=True, memory_limit=None, silence_logs=logging.CRITICAL, scheduler_kwargs=quiet
            )
        except (OSError, RuntimeError) as error:
            raise ScriptError(f"workers cannot be started on this machine: {error}") from error
        return self.cluster.scheduler_address

    def _same_python(self) -> None:
        """Code only travels between equal versions of Python."""
        assert self.client is not None
        versions = self.client.get_versions()
        own = versions["client"]["host"]["python"].split(".")[:2]
        for name, other in [("the scheduler", versions["scheduler"]), *((f"worker {a}", w) for a, w in versions["workers"].items())]:
            python = other["host"]["python"].split(".")[:2]
            if python != own:
                raise ScriptError(f"{name} runs Python {'.'.join(python)}, expected {'.'.join(own)}, as here")

    def threads(self) -> int:
        """How many shards can be played at the same time."""
        assert self.client is not None
        return max(1, sum(self.client.nthreads().values()))

    def check(self, files: dict[str, str]) -> None:
        """Makes sure that every worker has the programs of this machine, at the same paths. `files`: the SHA-256 of each."""
        self.connect()
        assert self.client is not None
        answers = self.client.run(ByValue(unlike), files, on_error="return")
        for address, problem in answers.items():
            if isinstance(problem, Exception):
                raise ScriptError(f"worker {address} cannot be asked for its programs: {problem}")
            if problem is not None:
                raise ScriptError(f"worker {address}: {problem}; every worker needs the programs of this machine at the same paths")

    def play(self, jobs: dict[Shard, list[str]], files: dict[str, str], arrived: Callable[[Shard, bytes], None], tell: Callable[[], None]) -> None:
        """Plays shards, each by its command of kete-match. `arrived` is called once for each, with its records, and `tell` now and then.

        A shard whose worker is lost goes to another one.

        Raises:
            MatchError: if a shard failed for a reason of its own, or the scheduler is gone. Other shards are not waited for.
        """
        self.connect()
        assert self.client is not None
        client, name, code = self.client, uuid.uuid4().hex[:12], ByValue(_play)
        ended: queue.SimpleQueue[tuple[Shard, distributed.Future]] = queue.SimpleQueue()
        futures: dict[Shard, distributed.Future] = {}
        lost = dict.fromkeys(jobs, 0)

        def submit(shard: Shard) -> None:
            future = client.submit(code, jobs[shard], files, key=f"kete-{name}-{shard.name}-{lost[shard]}", pure=False)
            futures[shard] = future
            future.add_done_callback(lambda future: ended.put((shard, future)))

        try:
            self._look(always=True)
            for shard in jobs:
                submit(shard)
            while futures:
                tell()
                self._look()
                try:
                    shard, future = ended.get(timeout=TELL_SECONDS)
                    outcome, message, records = future.result()
                except queue.Empty:
                    continue
                except Exception as error:
                    # KilledWorker, mostly: the shard was on several workers that were lost, which need not be its fault.
                    outcome, message, records = LOST, f"{type(error).__name__}: {error}", b""
                if client.status != "running":
                    raise MatchError(f"the scheduler at {self.scheduler or 'this machine'} is gone")
                if outcome == LOST:
                    lost[shard] += 1
                    if lost[shard] >= MOST_LOST:
                        raise MatchError(f"shard {shard.name} was lost {lost[shard]} times; {message}")
                    submit(shard)
                elif outcome == PLAYED:
                    arrived(shard, records)
                    del futures[shard]
                else:
                    raise ShardFailed(shard, message, records)
            tell()
            self._look(always=True)
        finally:
            if futures and client.status == "running":
                client.cancel(list(futures.values()), force=True)

    def _look(self, always: bool = False) -> None:
        """Tells of workers that are gone."""
        assert self.client is not None
        if time.monotonic() - self.looked < LOOK_SECONDS and not always:
            return
        self.looked = time.monotonic()
        try:
            now = set(self.client.nthreads())
        except (OSError, TimeoutError):
            return  # A scheduler that is gone is noticed by its futures.
        for address in sorted(self.known - now):
            # On a terminal a line of progress may stand there.
            print(f"{chr(10) if sys.stderr.isatty() else ''}warning: worker {address} is lost; what it was playing is played again by another", file=sys.stderr)
        self.known = now

    def close(self) -> None:
        """Ends the connection, and the workers if they were started here."""
        client, self.client = self.client, None
        cluster, self.cluster = self.cluster, None
        try:
            if client is not None:
                client.close()
        finally:
            if cluster is not None:
                cluster.close()


class ShardFailed(MatchError):
    """A shard that would fail again, with the records of the failure."""

    def __init__(self, shard: Shard, message: str, records: bytes) -> None:
        super().__init__(message)
        self.shard, self.records = shard, records
