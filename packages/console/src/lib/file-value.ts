import { toBase64 } from '@slipway/kube/base64'

/** A file that a user uploaded, or text entered in its place. */
export interface FileValue {
  /** Empty for typed text. */
  name: string
  encoding: 'text' | 'base64'
  content: string
}

export const emptyFile: FileValue = { name: '', encoding: 'text', content: '' }

/** `any`: as text if the file is text, else as base64. */
export type FileContent = 'text' | 'binary' | 'any'

/** @returns `undefined` when text is expected and the bytes are not text */
export function toFileValue(name: string, bytes: Uint8Array, content: FileContent): FileValue | undefined {
  const text = content === 'binary' ? undefined : decodeText(bytes)
  if (text !== undefined) return { name, encoding: 'text', content: text }
  return content === 'text' ? undefined : { name, encoding: 'base64', content: toBase64(bytes) }
}

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    // Text does not contain this character; binary files usually do.
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

/** `1 KiB`, `2.5 MiB` */
export function formatSize(bytes: number): string {
  if (bytes < 1_024) return `${bytes} bytes`
  const [size, unit] = bytes < 1_048_576 ? [bytes / 1_024, 'KiB'] : [bytes / 1_048_576, 'MiB']
  return `${Number(size.toFixed(1))} ${unit}`
}
