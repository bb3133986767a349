import { useEffect } from 'react'
import { productName } from '../../product'

let title = productName
let status = ''

const show = () => (document.title = status + title)

/** Names the browser tab `{title} | {product}` while the caller is on screen; leaving it restores the product name. */
export function useDocumentTitle(ofPage: string) {
  useEffect(() => {
    title = `${ofPage} | ${productName}`
    show()
    return () => {
      title = productName
      show()
    }
  }, [ofPage])
}

/** Puts the status of the object of a page before its title; an empty text takes it away again. */
export function setDocumentStatus(word: string): void {
  status = word && `${word}: `
  show()
}

/** The title of the page on screen, without its status and the product. */
export const pageTitle = (): string => title.replace(` | ${productName}`, '')
