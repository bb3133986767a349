import type { FastifyReply } from 'fastify'
import { renderDocument, escapeHtml } from './document'

/** A plain page for when there is no console: before sign-in, and when sign-in has failed. */
export interface Page {
  code: number
  title: string
  text: string
  /** One of the gateway's own URLs, at its root. */
  link?: { href: string; text: string }
}

/** Path that serves `documentStyles`. */
export const styleSheet = '/oauth2/page.css'

/** Allows only the style sheet and the logo: no scripts, frames or forms. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** @param path below which the gateway is served; empty at the root */
export const sendPage = (reply: FastifyReply, page: Page, path: string): FastifyReply =>
  reply
    .code(page.code)
    .header('content-security-policy', contentSecurityPolicy)
    .type('text/html; charset=utf-8')
    .send(
      renderDocument({
        title: page.title,
        icon: `${path}/favicon.svg`,
        styleSheet: `${path}${styleSheet}`,
        content: renderContent(page, path),
      }),
    )

const renderContent = ({ text, link }: Page, path: string): string =>
  [
    `<p class="lead">${escapeHtml(text)}</p>`,
    ...(link
      ? [`<p class="actions"><a href="${escapeHtml(path + link.href)}" class="action">${escapeHtml(link.text)}</a></p>`]
      : []),
  ].join('\n')
