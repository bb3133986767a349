/** Hands a text to the user as a file. */
export function download(name: string, text: string, type = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has read it by then; what is not given back is kept as long as the page.
  setTimeout(() => URL.revokeObjectURL(url))
}
