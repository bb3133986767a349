import { Fragment, type ReactNode } from 'react'

/** Marks, embeddings, overrides and isolates of the Unicode bidirectional algorithm: invisible, and able to reorder. */
const directionControls = /([\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069])/g

/** The text with each direction control replaced by its visible name, such as `[U+202E]`, so that nothing is reordered. */
export function withVisibleControls(text: string): ReactNode {
  const parts = text.split(directionControls)
  if (parts.length === 1) return text
  // Every second part is a control.
  return parts.map((part, index) => (
    <Fragment key={index}>{index % 2 === 1 ? <code>{nameOfControl(part)}</code> : part}</Fragment>
  ))
}

const nameOfControl = (control: string): string =>
  `[U+${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`

/** Like `withVisibleControls`, for attributes such as titles and labels. */
export const nameControls = (text: string): string => text.replace(directionControls, nameOfControl)

/** Text that a user has written, in its own direction: it does not reorder what surrounds it. */
export const UserText = ({ text }: { text: string }) => <bdi>{withVisibleControls(text)}</bdi>
