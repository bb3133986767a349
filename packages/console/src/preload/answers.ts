/** A response to a request of a page that was rendered on a server: the page in the browser does not send it again. */
export interface Answer {
  method: string
  path: string
  body: string | undefined
  status: number
  headers: Record<string, string>
  text: string
}

/** The element with the answers in the document of such a page. */
export const answersId = 'slipway-answers'
