/** Cuts the lines of a text that comes in pieces. */
export function lineCutter(longest: number): (text: string) => string {
  /** Of the line that has begun. */
  let length = 0
  return (text) => {
    let kept = ''
    for (let at = 0; at < text.length;) {
      const newline = text.indexOf('\n', at)
      const end = newline < 0 ? text.length : newline
      const cut = Math.min(end, at + Math.max(0, longest - length))
      // Half of a character is none.
      kept += text.slice(at, cut < end && /[\ud800-\udbff]/.test(text.charAt(cut - 1)) ? cut - 1 : cut)
      length += end - at
      if (newline >= 0) {
        kept += '\n'
        length = 0
      }
      at = end + 1
    }
    return kept
  }
}
