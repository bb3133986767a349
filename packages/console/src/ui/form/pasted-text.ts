import type { ClipboardEvent } from 'react'

/** The text that is pasted in place of the value of a line; `undefined` for one that is inserted into other text. */
export function pastedText({ clipboardData, currentTarget }: ClipboardEvent<HTMLInputElement>): string | undefined {
  const { value, selectionStart, selectionEnd } = currentTarget
  const isInserted = value !== '' && (selectionStart !== 0 || selectionEnd !== value.length)
  return isInserted ? undefined : clipboardData.getData('text')
}
