import type { PolicyDate } from './policy-horizon'

/** The dates of a policy in words, as Markdown and as a calendar file. */

/** `December 3, 2026`. @param timeZone by default that of the user */
export const dayText = (atMs: number, timeZone?: string): string =>
  new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: 'long', day: 'numeric' }).format(atMs)

/** `Fails from December 3, 2026`. @param timeZone by default that of the user */
export function happeningText({ kind, isDue, atMs }: PolicyDate, timeZone?: string): string {
  const day = dayText(atMs, timeZone)
  switch (kind) {
    case 'rule':
      return `Fails ${isDue ? 'since' : 'from'} ${day}`
    case 'waiver':
      return `Exception ${isDue ? 'ended' : 'ends'} on ${day}`
    case 'inclusion':
      return `Applies ${isDue ? 'since' : 'from'} ${day}`
  }
}

/**
 * The soonest day with a date in a few words: `2 rules fail from December 3, 2026, and 1 more date`.
 * @param dates the soonest first, at least one
 * @param timeZone by default that of the user
 */
export function soonestText(dates: readonly [PolicyDate, ...PolicyDate[]], timeZone?: string): string {
  const [first] = dates
  const happening = happeningText(first, timeZone)
  const same = dates.filter((date) => happeningText(date, timeZone) === happening)
  const count = new Set(same.map(({ code, title }) => code ?? title)).size
  const others = dates.length - same.length
  const text = `${countedText(first, count)} ${dayText(first.atMs, timeZone)}`
  return others === 0 ? text : `${text}, and ${others === 1 ? '1 more date' : `${others} more dates`}`
}

function countedText({ kind, isDue }: PolicyDate, count: number): string {
  const isOne = count === 1
  switch (kind) {
    case 'rule':
      return `${isOne ? '1 rule fails' : `${count} rules fail`} ${isDue ? 'since' : 'from'}`
    case 'waiver':
      return `${isOne ? '1 exception' : `${count} exceptions`} ${isDue ? 'ended' : isOne ? 'ends' : 'end'} on`
    case 'inclusion':
      return `${isOne ? '1 rule applies' : `${count} rules apply`} ${isDue ? 'since' : 'from'}`
  }
}

/** What to do before a date. */
export function remedyOf({ kind, remedy }: PolicyDate): string {
  const extension = kind === 'waiver' ? 'Or ask the owners of the policy to extend the exception.' : ''
  return [remedy ?? 'Make the components fulfil the rule.', extension].filter(Boolean).join(' ')
}

const componentsText = ({ components }: PolicyDate): string =>
  [
    ...new Set(
      components.map(({ application, component }) => (application ? `${application}/${component}` : component)),
    ),
  ].join(', ')

interface About {
  /** Whose dates they are: `team-payments`, `checkout`. */
  scope: string
  nowMs: number
  timeZone?: string
}

/** A list for a chat, an issue or a pull request. */
export function datesAsMarkdown(dates: readonly PolicyDate[], { scope, nowMs, timeZone }: About): string {
  const lines = dates.map((date) => {
    const { title, code, policy, reference } = date
    return [
      `- **${happeningText(date, timeZone)}**: ${escaped(title)}${code && code !== title ? ` (${codeText(code)})` : ''}`,
      `  - Components: ${escaped(componentsText(date))}`,
      `  - To do: ${escaped(remedyOf(date))}`,
      ...(policy ? [`  - Policy: ${escaped(policy)}`] : []),
      ...(reference ? [`  - Reference: ${escaped(reference)}`] : []),
    ].join('\n')
  })
  return [
    `**Policy dates of ${escaped(scope)}**, as of ${dayText(nowMs, timeZone)}`,
    lines.length > 0 ? lines.join('\n') : 'None.',
  ].join('\n\n')
}

/** What others have written must not become markup. */
const escaped = (text: string): string => text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>|#&~]/g, '\\$&')

const codeText = (text: string): string => `\`${text.replace(/[`\s]+/g, ' ')}\``

/** A calendar file (RFC 5545): an event at the moment of each date, in UTC, so that every calendar shows its own zone. */
export function datesAsCalendar(dates: readonly PolicyDate[], { scope, nowMs }: About): string {
  const events = dates.flatMap((date) => {
    const { kind, atMs, title, code, policy = '', reference } = date
    const description = [
      `Components: ${componentsText(date)}`,
      `To do: ${remedyOf(date)}`,
      ...(policy ? [`Policy: ${policy}`] : []),
      ...(reference ? [`Reference: ${reference}`] : []),
    ].join('\n')
    return [
      'BEGIN:VEVENT',
      // The same in every export, so that a calendar updates the event instead of adding another.
      `UID:${[kind, atMs, code ?? title, policy, scope].map(encodeURIComponent).join('.')}@slipway`,
      `DTSTAMP:${calendarTime(nowMs)}`,
      `DTSTART:${calendarTime(atMs)}`,
      `SUMMARY:${calendarText(`${summaries[kind]}: ${title} (${scope})`)}`,
      `DESCRIPTION:${calendarText(description)}`,
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ]
  })
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Slipway//Policy dates//EN', ...events, 'END:VCALENDAR']
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

const summaries: Record<PolicyDate['kind'], string> = {
  rule: 'Policy rule begins to fail',
  waiver: 'Policy exception ends',
  inclusion: 'Policy rule is added',
}

/** `20261203T000000Z` */
const calendarTime = (timeMs: number): string => new Date(timeMs).toISOString().replace(/[-:]|\.\d+/g, '')

const calendarText = (text: string): string => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n')

const encoder = new TextEncoder()

/** Lines have at most 75 bytes; the next one continues after a space. A character is not cut. */
function folded(line: string): string {
  let result = ''
  let bytes = 0
  for (const character of line) {
    const size = encoder.encode(character).length
    if (bytes + size > 75) {
      result += '\r\n '
      bytes = 1
    }
    result += character
    bytes += size
  }
  return result
}
