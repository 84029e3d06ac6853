"""The OpenAPI document: made from the types of the handlers, and of what they send that is not JSON of a type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from litestar import Litestar, Router
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, OpenAPIType, Schema, SecurityScheme
from litestar.plugins import OpenAPISchemaPlugin
from litestar.serialization import encode_json
from litestar.typing import FieldDefinition

from .. import __version__
from ..replays.problems import Problem
from ..replays.wire import LOG_TYPE, ROWS_TYPE, WireRow
from .access import ANYBODY
from .guards import ROLES

PREFIX = "/v1"
PROBLEM = "application/problem+json"
GAME = f"{PREFIX}/games/{{game}}"
TEXT = {"type": "string"}
OTHERS: dict[str, dict[str, Any]] = {
    f"{GAME}/content": {"application/json": {"type": "object"}},
    f"{GAME}/rows": {ROWS_TYPE: TEXT},
    f"{GAME}/view": {
        "application/json": {"type": "object"}, "text/plain": TEXT, "image/svg+xml": TEXT, "text/html": TEXT,
    },
    f"{GAME}/transcript": {"text/markdown": TEXT, "text/plain": TEXT, "text/html": TEXT},
    f"{GAME}/export": {LOG_TYPE: TEXT},
    f"{GAME}/events": {"text/event-stream": TEXT},
    "/metrics": {"text/plain": TEXT},
}  # fmt: skip
"""What endpoints send by media type, where a handler makes the bytes itself."""


class RowSchema(OpenAPISchemaPlugin):
    """Says what a row looks like: an array, whose event is passed on as it was recorded."""

    @staticmethod
    def is_plugin_supported_type(value: Any) -> bool:
        """Say whether this is the type."""
        return value is WireRow

    def to_openapi_schema(self, field_definition: Any, schema_creator: Any) -> Schema:
        """Return the schema of a row."""
        secrets = Schema(one_of=[Schema(type=OpenAPIType.ARRAY), Schema(type=OpenAPIType.NULL)])
        event = Schema(type=OpenAPIType.OBJECT, description="The event, byte for byte as it was recorded.")
        kinds = [Schema(type=OpenAPIType.INTEGER), Schema(type=OpenAPIType.STRING), event, secrets]
        return Schema(
            type=OpenAPIType.ARRAY, prefix_items=kinds, min_items=4, max_items=4, description=WireRow.__doc__ or ""
        )


class BytesSchema(OpenAPISchemaPlugin):
    """Says what JSON looks like that was made before and is passed on: as what stands beside it, `Annotated[Raw, Form]`."""

    @staticmethod
    def is_plugin_supported_type(value: Any) -> bool:
        """Say whether this is the type."""
        return value is msgspec.Raw

    def to_openapi_schema(self, field_definition: Any, schema_creator: Any) -> Any:
        """Return the schema of the form."""
        (form,) = field_definition.metadata
        return schema_creator.for_field_definition(FieldDefinition.from_annotation(form))


def document(games: Sequence[Any], others: Sequence[Any]) -> bytes:
    """Return the OpenAPI document of the handlers below `PREFIX`, and of the others, from an application that serves nothing."""
    router = Router(PREFIX, route_handlers=games, security=[{"token": []}])
    config = OpenAPIConfig(
        title="warptape",
        version=__version__,
        use_handler_docstrings=True,
        components=Components(security_schemes={"token": SecurityScheme(type="http", scheme="bearer")}),
    )
    app = Litestar([router, *others], openapi_config=config, plugins=[RowSchema(), BytesSchema()], logging_config=None)
    found = app.openapi_schema.to_schema()
    _, problems = msgspec.json.schema_components([Problem], ref_template="#/components/schemas/{name}")
    found["components"]["schemas"].update(problems)
    refusal = _answer("Why not", {PROBLEM: {"$ref": "#/components/schemas/Problem"}})
    for path, methods in found["paths"].items():
        for operation in methods.values():
            if isinstance(operation, dict):
                answers = operation["responses"]
                answers.pop("400", None)  # in another form than this service answers
                answers["default"] = refusal
                if path in OTHERS:
                    answers["200"] = _answer("Request fulfilled", OTHERS[path])
    for route in app.routes:
        for handler in getattr(route, "route_handlers", ()):
            if ANYBODY.role in handler.opt.get(ROLES, ()) or handler.opt.get("open"):
                for method in handler.http_methods:
                    operation = found["paths"].get(route.path_format, {}).get(method.lower(), {})
                    if "security" in operation:
                        operation["security"] = [{"token": []}, {}]  # with a token or without
    found["paths"][f"{GAME}/content"]["get"]["responses"]["304"] = {"description": "The caller has it already."}
    ready = found["paths"]["/health/ready"]["get"]["responses"]
    ready["503"] = {**ready["200"], "description": "No work is taken now."}
    return encode_json(found)


def _answer(text: str, forms: dict[str, Any]) -> dict[str, Any]:
    return {"description": text, "content": {media: {"schema": schema} for media, schema in forms.items()}}
