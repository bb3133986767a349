/**
 * Lines that many watches send. Those that are encoded one after the other are adjacent in memory, so that a watch which
 * sends all of them needs no copy.
 */

const encoder = new TextEncoder()
const slabBytes = 256 * 1024
/** A longer line is allocated by itself, as it would leave much of a slab empty. */
const maxSharedBytes = slabBytes / 4
let slab = new Uint8Array(0)
let used = 0

/** Returns the text in UTF-8. */
export function encodeLine(text: string): Uint8Array {
  if (text.length > maxSharedBytes) return encoder.encode(text)
  if (text.length > slab.length - used) startSlab()
  let { read, written } = encoder.encodeInto(text, slab.subarray(used))
  if (read < text.length) {
    startSlab()
    ;({ read, written } = encoder.encodeInto(text, slab))
  }
  const line = slab.subarray(used, used + written)
  used += written
  return line
}

function startSlab() {
  slab = new Uint8Array(slabBytes)
  used = 0
}

/** True if the second line follows the first one in memory. */
export const isAdjacent = (first: Uint8Array, second: Uint8Array): boolean =>
  first.buffer === second.buffer && first.byteOffset + first.length === second.byteOffset

/** The longest known view that starts with a line, so that watches which send the same lines share it. */
const views = new WeakMap<Uint8Array, Uint8Array>()

/**
 * The lines in as few pieces as possible without copying any of them. Equal pieces are the same object, unless other
 * pieces with the same first line were requested in between.
 */
export function joinAdjacent(lines: readonly Uint8Array[]): Uint8Array[] {
  const pieces: Uint8Array[] = []
  for (let index = 0; index < lines.length;) {
    const first = lines[index]
    let last = first
    let next = lines[++index]
    while (last && next && isAdjacent(last, next)) {
      last = next
      next = lines[++index]
    }
    if (first && last) pieces.push(viewFrom(first, last))
  }
  return pieces
}

function viewFrom(first: Uint8Array, last: Uint8Array): Uint8Array {
  if (first === last) return first
  const length = last.byteOffset + last.length - first.byteOffset
  const known = views.get(first)
  if (known?.length === length) return known
  const view = new Uint8Array(first.buffer, first.byteOffset, length)
  views.set(first, view)
  return view
}
