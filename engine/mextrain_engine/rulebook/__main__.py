"""Print the rules as markdown: ``python -m mextrain_engine.rulebook > docs/rules.md``."""

from mextrain_engine.rulebook.markdown import render

if __name__ == "__main__":
    print(render(), end="")  # noqa: T201 - printing is all that it does
