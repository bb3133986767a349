import { criticalCss, type PackedSheets, type ParsedSheets } from './critical-css'
import { contentOf, escapeAttribute, inertUntilTakenOver, withoutInlineStyles } from './frame-document'
import { type Answer, answersId } from './answers'
import type { StoredTexts } from './recorded-storage'

/** What the build adds to the content of each page. */
export interface PageParts {
  /** All of them. */
  sheets: PackedSheets
  /** Puts the content into its place (`show-page.ts`). */
  script: string
}

interface ContentOptions {
  sheets: ParsedSheets
  script: string
  nonce: string
  answers: readonly Answer[]
  stored: StoredTexts
}

/** A page whose answers are longer is better read by the browser, piece by piece. */
const mostAnswerChars = 1024 * 1024

/**
 * The content of a page for its document, with its styles and the answers that it shows; empty if it is too long.
 * @param html the whole page
 */
export function createPageContent(html: string, { sheets, script, nonce, answers, stored }: ContentOptions): string {
  const { markup, rules } = withoutInlineStyles(inertUntilTakenOver(html))
  const answersJson = scriptJson(answers.filter(({ status }) => status < 300))
  if (answersJson.length > mostAnswerChars) return ''
  const { timeZone } = new Intl.DateTimeFormat('en').resolvedOptions()
  // Of the whole page, since they replace those of its layout.
  const css = criticalCss(`${markup}<div id="root">`, sheets)
  return [
    `<style id="slipway-page-style" nonce="${nonce}">${css}${rules}</style>`,
    `<template id="slipway-page">${contentOf(markup)}</template>`,
    `<script nonce="${nonce}" data-zone="${timeZone}" data-stored="${escapeAttribute(JSON.stringify(stored))}">${script}</script>`,
    `<script type="application/json" id="${answersId}">${answersJson}</script>`,
  ].join('\n')
}

/** JSON that no parser of HTML takes for the end of its script, or for a comment. */
const scriptJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', String.raw`\u003c`)
