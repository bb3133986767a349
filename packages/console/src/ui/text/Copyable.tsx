import type { ReactNode } from 'react'
import { CopyButton } from '../actions/CopyButton'

/** A name, digest or command, and a button that copies it. */
export const Copyable = ({ text, noun, children }: { text: string; noun: string; children?: ReactNode }) => (
  <span className="slipway-copyable">
    {children ?? <code>{text}</code>} <CopyButton text={text} noun={noun} />
  </span>
)
