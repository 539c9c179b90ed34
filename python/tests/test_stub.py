"""The stub of the compiled module has the docs of the compiled module. After a change of the docs run `pip install`, so that the
test sees them, and `UPDATE=1 pytest python/tests/test_stub.py`, which writes the stub again."""

import ast
import os
import pathlib

from flipcost import _engine

STUB = pathlib.Path(__file__).parent.parent / "package" / "flipcost" / "_engine.pyi"


def written(text: str, indent: int) -> str:
    """Returns a docstring in the form that the stub has."""
    lines = text.strip().splitlines()
    quotes = 'r"""' if "\\" in text else '"""'
    doc = [quotes + lines[0], *lines[1:]]
    if len(lines) > 1:
        doc.append('"""')
    else:
        doc[0] += '"""'
    return "\n".join((" " * indent + line).rstrip() for line in doc)


def documented(stub: str) -> str:
    """Returns the stub with the docs of everything that it declares."""
    lines = stub.splitlines()
    seen = set()
    edits = []

    def visit(nodes, holder, indent, path):
        for node in nodes:
            if not isinstance(node, (ast.FunctionDef, ast.ClassDef)) or node.name not in vars(holder):
                continue
            value = getattr(holder, node.name)
            name = (*path, node.name)
            doc = None if node.name.startswith("_") else getattr(value, "__doc__", None)
            if doc and name not in seen:  # only the first of several overloads has the docs
                first = node.body[0]
                begin = min(part.lineno for part in [first, *getattr(first, "decorator_list", [])]) - 1
                edits.append((begin, isinstance(node, ast.ClassDef), first, written(doc, indent + 4)))
            seen.add(name)
            if isinstance(node, ast.ClassDef):
                visit(node.body, value, indent + 4, name)

    visit(ast.parse(stub).body, _engine, 0, ())
    # edits from the bottom up; if two edits are at one line, edits the method before the class
    for begin, is_class, first, doc in sorted(edits, key=lambda edit: (-edit[0], edit[1])):
        known = ast.get_docstring(ast.Module([first], [])) is not None
        if known:
            lines[begin : first.end_lineno] = [doc]
        elif is_class:
            lines[begin:begin] = [doc]
        else:
            lines[begin] = lines[begin][: first.col_offset].rstrip()
            lines[begin + 1 : begin + 1] = [doc]
    return "\n".join(lines) + "\n"


def test_the_stub_has_the_docs() -> None:
    stub = STUB.read_text()
    if os.environ.get("UPDATE"):
        STUB.write_text(documented(stub))
    else:
        assert documented(stub) == stub, "UPDATE=1 writes the docs of the stub anew"
