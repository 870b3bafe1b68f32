"""Makes glyphs.br; the README beside it says of what, and how it is called."""

import gzip
import json
import struct
import sys
import unicodedata

import brotli
from fontTools.pens.recordingPen import RecordingPen
from fontTools.ttLib import TTFont

HEIGHT = 16


def read_outlines(path, wanted):
    """Unifont in its OpenType form, whose outlines are the edges of pixels."""
    font = TTFont(path)
    pixel = font['head'].unitsPerEm // HEIGHT
    top = font['hhea'].ascent // pixel
    glyphs = font.getGlyphSet()
    return {code: rasterize(glyphs[name], pixel, top) for code, name in font.getBestCmap().items() if wanted(code)}


def rasterize(glyph, pixel, top):
    edges = vertical_edges(glyph)
    cells, shift = 2 if glyph.width > 8 * pixel else 1, 0
    if glyph.width == 0 and edges:
        # A mark stands to the left of where it is put: in the one or two cells of what it is laid over.
        cells = 2 if min(x for x, _, _ in edges) < -8 * pixel else 1
        shift = 8 * cells
    rows = []
    for y in range(HEIGHT):
        middle = (top - y - 0.5) * pixel
        crossings = sorted(x for x, low, high in edges if low < middle < high)
        bits = 0
        for left, right in zip(crossings[::2], crossings[1::2]):
            for column in range(round(left / pixel) + shift, round(right / pixel) + shift):
                if 0 <= column < 8 * cells:
                    bits |= 1 << (8 * cells - 1 - column)
        rows.append(bits.to_bytes(cells, 'big'))
    return b''.join(rows)


def vertical_edges(glyph):
    pen = RecordingPen()
    glyph.draw(pen)
    edges, start, here = [], None, None
    for operation, points in pen.value:
        there = points[0] if points else start
        if operation == 'moveTo':
            start = there
        elif here[1] != there[1]:
            edges.append((here[0], min(here[1], there[1]), max(here[1], there[1])))
        here = there
    return edges


def read_pcf(path):
    """X11's compiled bitmap font (the tables 4 metrics, 8 bitmaps, 32 encodings, 2 accelerators), of glyphs that are 8 by 16 pixels."""
    with gzip.open(path) as file:
        data = file.read()
    tables = {}
    for index in range(struct.unpack_from('<I', data, 4)[0]):
        kind, layout, _, offset = struct.unpack_from('<IIII', data, 8 + 16 * index)
        tables[kind] = (offset, '>' if layout & 4 else '<', layout)
    offset, order, layout = tables[8]
    count = struct.unpack_from(order + 'I', data, offset + 4)[0]
    starts = struct.unpack_from(f'{order}{count}I', data, offset + 8)
    bitmaps, stride = offset + 8 + 4 * count + 16, 1 << (layout & 3)
    assert layout & 8, 'the leftmost pixel is expected in the highest bit'

    def rows(index):
        start = bitmaps + starts[index]
        return bytes(data[start + stride * y] for y in range(HEIGHT))

    offset, order, _ = tables[32]
    first, last, first_row, last_row = struct.unpack_from(f'{order}4H', data, offset + 4)
    glyphs = {}
    for row in range(first_row, last_row + 1):
        for column in range(first, last + 1):
            place = offset + 14 + 2 * ((row - first_row) * (last - first + 1) + column - first)
            index = struct.unpack_from(order + 'H', data, place)[0]
            if index != 0xFFFF:
                glyphs[row << 8 | column] = rows(index)
    return glyphs


def face(glyphs):
    """A face's table and its strips of 8 by 16 pixels: narrow ones, left halves of wide ones, right halves."""
    narrow = sorted(code for code, rows in glyphs.items() if len(rows) == HEIGHT)
    wide = sorted(code for code, rows in glyphs.items() if len(rows) == 2 * HEIGHT)
    strips = [glyphs[code] for code in narrow]
    strips += [glyphs[code][half::2] for half in (0, 1) for code in wide]
    return {'narrow': runs(narrow), 'wide': runs(wide)}, b''.join(strips)


def runs(codes):
    """[first, count] of each run of code points without a gap."""
    found = []
    for code in codes:
        if found and code == found[-1][0] + found[-1][1]:
            found[-1][1] += 1
        else:
            found.append([code, 1])
    return found


def is_drawn(code):
    """Marks are laid over another character, for which only Unifont's are made."""
    return code >= 0x20 and not unicodedata.category(chr(code)).startswith('M')


def is_symbol(code):
    """Mathematical letters; emoji, pictographs and the symbols of old computers."""
    return 0x1D400 <= code <= 0x1D7FF or 0x1F000 <= code <= 0x1FBFF


def main(terminus, terminus_bold, unifont, unifont_upper, target):
    faces = [
        {code: rows for code, rows in read_pcf(path).items() if is_drawn(code)} for path in (terminus, terminus_bold)
    ]
    faces.append(
        {
            **read_outlines(unifont, lambda code: code >= 0x20 and code not in faces[0]),
            **read_outlines(unifont_upper, is_symbol),
        }
    )
    tables, strips = zip(*map(face, faces))
    header = json.dumps(dict(zip(('normal', 'bold', 'rest'), tables)), separators=(',', ':')).encode()
    with open(target, 'wb') as file:
        file.write(brotli.compress(header + b'\n' + b''.join(strips), mode=brotli.MODE_FONT, lgwin=24))


main(*sys.argv[1:])
