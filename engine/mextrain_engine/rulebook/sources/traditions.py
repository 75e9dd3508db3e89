"""The tags under which traditions are named. Data only."""

from collections.abc import Mapping
from types import MappingProxyType

TRADITIONS: Mapping[str, str] = MappingProxyType(
    {
        "TC": "ThoughtCo",
        "MG": "Masters Traditional Games",
        "WH": "wikiHow",
        "WQ": "wikiHow, its readers' questions and answers",
        "EH": "eHow",
        "SC": "The Spruce Crafts, a later edition of ThoughtCo",
        "PG": "pagat",
        "WP": "Wikipedia",
        "CD": "Cardinal leaflet",
        "PU": "Puremco and Parsons leaflets",
        "C8": "the leaflet with hands of 15, 11 and 8",
        "MT": "the Mexican Train app and its blog",
        "OD": "an online dominoes site",
        "GF": "Good Sam club rules, first form",
        "GI": "Good Sam club rules, second form",
        "GT": "Good Sam club rules, third form",
        "NW": "a senior-games sheet",
        "KB": "house rules KB",
        "DG": "house rules DG",
        "BH": "house rules BH",
        "FR": "house rules FR",
        "JP": "house rules JP",
        "HC": "another implementation, HC",
        "WARP": "another implementation, WARP",
        "JI": "another implementation, JI",
        "DM": "another implementation, DM",
        "AK": "another implementation, AK",
        "DC": "another implementation, DC",
        "RP": "another implementation, RP",
        "snitker": "a family's rules on the web",
        "ourpastimes": "an article on ourpastimes",
        "thegamesupply": "a shop's rules",
        "rondeetbelle": "a fragment of rondeetbelle",
        "house": "unnamed house rules",
        "modern": "this project's default",
    }
)
"""Each tag and what it stands for."""
