/** Has the browser keep a text as a file. */
export function saveFile(name: string, pieces: string[], type = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob(pieces, { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has read it by then; at once would be too soon for some.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
