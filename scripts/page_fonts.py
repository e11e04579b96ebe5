"""The faces of the interface (app/platform/fonts.cpp) for the page, cut to the characters that it takes from them.

Usage: page_fonts.py FOLDER
"""
import pathlib
import re
import sys

from fontTools import subset

FACES = {
    "Inter-Regular.otf": "opentype/inter",
    "Inter-SemiBold.otf": "opentype/inter",
    "DejaVuSans.ttf": "truetype/dejavu",
    "DejaVuSansMono.ttf": "truetype/dejavu",
}


def characters():
    """All that stand in a table of ranges there: pairs of the first and the last."""
    source = (pathlib.Path(__file__).parent.parent / "app/platform/fonts.cpp").read_text()
    codes = set()
    for table in re.findall(r"constexpr Ranges<\d+> \w+ = \{([^}]*)\}", source):
        numbers = [int(number, 16) for number in re.findall(r"0x[0-9A-F]+", table)]
        for first, last in zip(numbers[::2], numbers[1::2]):
            codes.update(range(first, last + 1))
    assert codes, "fonts.cpp has no ranges"
    return codes


def main():
    folder = pathlib.Path(sys.argv[1])
    options = subset.Options(hinting=False, layout_features=[], notdef_outline=True, desubroutinize=False)
    for name, place in FACES.items():
        path = pathlib.Path("/usr/share/fonts") / place / name
        font = subset.load_font(str(path), options)
        cutter = subset.Subsetter(options)
        cutter.populate(unicodes=characters())
        cutter.subset(font)
        subset.save_font(font, str(folder / name), options)


main()
