"""The parts of the OpenAPI document that the contract's files do not say."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any, Final

INFO: Final[dict[str, Any]] = {
    "title": "Mextrain",
    "version": version("mextrain"),
    "license": {"name": "Apache-2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0"},
}

SECURITY: Final[dict[str, Any]] = {
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "The API key of a platform (`mxk_…`), the token of a seat, or the token of "
        "those who watch. `CreateGame` returns the tokens. Who calls is read from it alone.",
    }
}

OPEN_TO_ALL: Final = frozenset({"ListPresets", "ExplainRules"})
"""Methods that need no credential."""

RESPONSES: Final[dict[str, Any]] = {
    "Refused": {
        "description": "The call is refused and has changed nothing. The `reason` in `details` is "
        "stable; the message is for people.",
        "content": {
            "application/json": {
                "schema": {"$ref": "#/components/schemas/Error"},
                "example": {
                    "code": 9,
                    "message": "seat 1 is to move",
                    "details": [
                        {
                            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                            "reason": "NOT_YOUR_TURN",
                            "domain": "mextrain",
                            "metadata": {"turn": "1"},
                        }
                    ],
                },
            }
        },
    },
    "Away": {
        "description": "The service, its store or the way to it is away, or it has a fault. Repeat "
        "the call under the same `requestId`.",
        "headers": {
            "Retry-After": {
                "description": "When to come back, in seconds; absent if that would not help.",
                "schema": {"type": "integer", "minimum": 1},
            }
        },
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
    },
}
"""Answers that every method may give, beside its own."""

ERROR_SCHEMAS: Final[dict[str, Any]] = {
    "Error": {
        "type": "object",
        "description": "A `google.rpc.Status`, the same over every interface.",
        "required": ["code", "message", "details"],
        "properties": {
            "code": {
                "type": "integer",
                "format": "int32",
                "description": "The code of gRPC; the HTTP status follows from it.",
            },
            "message": {"type": "string", "description": "One sentence in English, for people."},
            "details": {
                "type": "array",
                "description": "One `ErrorInfo`; beside it a `RetryInfo`, a `BadRequest` or, with "
                "`STALE_VERSION`, the table as it is.",
                "items": {"$ref": "#/components/schemas/ErrorDetail"},
            },
        },
    },
    "ErrorDetail": {
        "type": "object",
        "description": "What kind it is says `@type`; the fields here are those of `ErrorInfo`, "
        "`RetryInfo` and `BadRequest`.",
        "required": ["@type"],
        "properties": {
            "@type": {"type": "string", "description": "`type.googleapis.com/` and its name."},
            "reason": {"type": "string", "description": "The stable reason, of an `ErrorInfo`."},
            "domain": {"type": "string", "description": "Always `mextrain`, of an `ErrorInfo`."},
            "metadata": {
                "type": "object",
                "description": "The facts, of an `ErrorInfo`.",
                "additionalProperties": {"type": "string"},
            },
            "retryDelay": {
                "type": "string",
                "description": "When to come back, as `1.5s`, of a `RetryInfo`.",
            },
            "fieldViolations": {
                "type": "array",
                "description": "What is wrong with which field, of a `BadRequest`.",
                "items": {"$ref": "#/components/schemas/FieldViolation"},
            },
        },
        "additionalProperties": True,
    },
    "FieldViolation": {
        "type": "object",
        "description": "One thing that is wrong with one field.",
        "properties": {
            "field": {"type": "string", "description": "Its path in the request."},
            "reason": {"type": "string", "description": "What is wrong, for machines."},
            "description": {"type": "string", "description": "What is wrong, for people."},
        },
    },
}

EXAMPLES: Final[dict[str, Any]] = {
    "CreateGame": {
        "persons": {
            "summary": "Two persons, the default rules",
            "value": {
                "seats": [
                    {"person": {"playerId": "ada", "displayName": "Ada"}},
                    {"person": {"playerId": "bob", "displayName": "Bob"}},
                ],
                "requestId": "9d2f6c1e",
            },
        },
        "houseRules": {
            "summary": "A person against two bots, with rules of the house",
            "value": {
                "preset": "pagat",
                "overrides": {"rounds": "ROUNDS_FIXED", "roundCount": 3},
                "seats": [
                    {"person": {"playerId": "ada", "displayName": "Ada"}},
                    {"bot": {"level": "BOT_LEVEL_GREEDY", "displayName": "Bot"}},
                    {"bot": {"level": "BOT_LEVEL_RANDOM", "displayName": "Cab"}},
                ],
            },
        },
    },
    "DealRound": {"next": {"summary": "The next round", "value": {"requestId": "deal-1"}}},
    "PlayMove": {
        "tile": {
            "summary": "A tile on the train of seat 0",
            "value": {"moves": [{"notation": "12-5@0"}], "requestId": "move-1"},
        },
        "fields": {
            "summary": "The same in fields, on the Mexican Train",
            "value": {
                "moves": [
                    {"playTile": {"tile": {"high": 12, "low": 5}, "train": {"mexican": True}}}
                ]
            },
        },
        "draw": {"summary": "Draw", "value": {"moves": [{"notation": "draw"}]}},
    },
    "ClaimSeat": {
        "invited": {
            "summary": "A player takes an open seat with its invitation",
            "value": {"playerId": "cleo", "displayName": "Cleo", "requestId": "claim-1"},
        }
    },
    "ResignSeat": {"leave": {"summary": "Leave", "value": {"requestId": "resign-1"}}},
    "SubstituteSeat": {
        "bot": {
            "summary": "A bot plays on",
            "value": {"bot": {"level": "BOT_LEVEL_GREEDY"}, "requestId": "stand-in-1"},
        },
        "back": {
            "summary": "Its holder is back",
            "value": {"holder": True, "requestId": "stand-in-2"},
        },
    },
    "AddEntropy": {
        "bytes": {
            "summary": "16 bytes of the player's own, in Base64",
            "value": {"entropy": "bWV4aWNhbiB0cmFpbiA5MQ==", "requestId": "entropy-1"},
        }
    },
    "ExplainRules": {
        "modern": {
            "summary": "The default rules for four players",
            "value": {"preset": "modern", "players": 4},
        }
    },
}
"""Bodies of requests, by method, that the service takes as they are."""
