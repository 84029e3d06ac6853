"""The body of a request must be just what its type says: no number is taken for a yes, no text for a number."""

from __future__ import annotations

import re
from typing import Any

import msgspec
from litestar import Request
from litestar.exceptions import ValidationException

WHERE = re.compile(r"(?P<what>.*?)(?: - at `\$\.?(?P<where>.*)`)?", re.DOTALL)


class StrictRequest(Request[Any, Any, Any]):
    """A request whose JSON is converted strictly; what is in a path or a query is text, and Litestar converts that."""

    async def json(self) -> Any:
        """Return the body as the type that its handler takes; raises ValidationException."""
        found = await super().json()
        taken = self.route_handler.parsed_fn_signature.parameters.get("data")
        if taken is None or found is None:
            return found
        try:
            return msgspec.convert(found, taken.annotation, strict=True)
        except msgspec.ValidationError as error:
            said = WHERE.fullmatch(str(error))
            assert said is not None
            raise ValidationException(extra=[{"key": said["where"], "message": said["what"]}]) from error
