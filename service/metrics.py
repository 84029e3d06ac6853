"""What Prometheus may ask of a process; no name of a game, a person or a token is among the labels."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector

if TYPE_CHECKING:
    from .service import Service

SHARED = "PROMETHEUS_MULTIPROC_DIR"
"""Names the folder in which the processes of one service add their counts up."""

BUCKETS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class Metrics:
    """The counts of a process; with several they are added up, but for what is open, which is of the one that answers."""

    def __init__(self, service: Service) -> None:
        shared = bool(os.environ.get(SHARED))
        self.registry = CollectorRegistry()
        own = None if shared else self.registry
        labels = ("method", "route", "status")
        self.requests = Counter("warptape_requests", "Requests answered", labels, registry=own)
        self.seconds = Histogram(
            "warptape_request_seconds",
            "How long answers took, streams left out",
            ("route",),
            buckets=BUCKETS,
            registry=own,
        )
        self.events = Counter("warptape_events_recorded", "Events recorded through the service", registry=own)
        self.conflicts = Counter("warptape_conflicts", "Changes refused because another was first", registry=own)
        self.repeats = Counter("warptape_repeats", "Changes that had been made before under the same key", registry=own)
        self.slow = Counter("warptape_slow_clients", "Streams ended because nobody read them", registry=own)
        if shared:
            MultiProcessCollector(self.registry)  # type: ignore[no-untyped-call]
        gauges: dict[str, tuple[str, Callable[[], float]]] = {
            "warptape_streams": ("Streams that are open", lambda: len(service.streams)),
            "warptape_open_games": ("Games that are open for acting", lambda: len(service.tables)),
            "warptape_store_lost": (
                "How often the follower found the store not answering",
                lambda: service.follower.lost,
            ),
        }
        self.registry.register(_Gauges(gauges))

    def text(self) -> tuple[bytes, str]:
        """Return the counts in Prometheus' format, with its media type."""
        return generate_latest(self.registry), CONTENT_TYPE_LATEST


class _Gauges:
    """What is counted only when it is asked for."""

    def __init__(self, gauges: dict[str, tuple[str, Callable[[], float]]]) -> None:
        self.gauges = gauges

    def collect(self) -> Iterator[Any]:
        """Yield one value each."""
        for name, (text, value) in self.gauges.items():
            yield GaugeMetricFamily(name, text, value=value())
