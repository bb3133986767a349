/** Saves a text as a file through the browser. */
export function saveFile(name: string, pieces: string[], type = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob(pieces, { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Some browsers have not read it yet if it is revoked immediately.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
