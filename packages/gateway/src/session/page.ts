import type { FastifyReply } from 'fastify'
import { documentOf, escaped } from './document'

/** A page in words, where the console cannot speak: before sign-in, and when sign-in has failed. */
export interface Page {
  code: number
  title: string
  text: string
  /** A local address. */
  link?: { href: string; text: string }
}

/** Where `documentStyles` are served. */
export const styleSheet = '/oauth2/page.css'

/** Nothing but its own style sheet and the logo; nothing may run, be framed, or be sent from it. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export const sendPage = (reply: FastifyReply, page: Page): FastifyReply =>
  reply
    .code(page.code)
    .header('content-security-policy', contentSecurityPolicy)
    .type('text/html; charset=utf-8')
    .send(documentOf({ title: page.title, styleSheet, content: contentOf(page) }))

const contentOf = ({ text, link }: Page): string =>
  [
    `<p class="lead">${escaped(text)}</p>`,
    ...(link
      ? [`<p class="actions"><a href="${escaped(link.href)}" class="action">${escaped(link.text)}</a></p>`]
      : []),
  ].join('\n')
