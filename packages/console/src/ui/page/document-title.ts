import { useEffect } from 'react'
import { productName } from '../../product'

/** Names the browser tab `{title} | {product}` while the caller is on screen; leaving it restores the product name. */
export function useDocumentTitle(title: string) {
  useEffect(() => {
    document.title = `${title} | ${productName}`
    return () => {
      document.title = productName
    }
  }, [title])
}

/** The title of a page, without the product. */
export const titleOf = (documentTitle: string): string => documentTitle.replace(` | ${productName}`, '')
