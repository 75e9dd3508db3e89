"""Who plays which value of which option: the table behind the rule sets. Data only."""

from mextrain_engine.rulebook.options import dealing, ending, playing
from mextrain_engine.rulebook.options.model import OptionEntry, ValueEntry

OPTIONS: tuple[OptionEntry, ...] = (*dealing.OPTIONS, *playing.OPTIONS, *ending.OPTIONS)
"""Every option of a rule set but its name, in the order of the option numbers."""

__all__ = ["OPTIONS", "OptionEntry", "ValueEntry"]
