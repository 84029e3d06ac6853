"""The archive: recorded games as tables fit for SQL, which follow their sources and can be built anew at any time."""

from __future__ import annotations

from .build import Archive, Followed
from .rows import project
from .sources import FileSource, FolderSource, Source, StoreSource
from .tables import TABLES
from .views import VIEWS

__all__ = ["TABLES", "VIEWS", "Archive", "FileSource", "FolderSource", "Followed", "Source", "StoreSource", "project"]
