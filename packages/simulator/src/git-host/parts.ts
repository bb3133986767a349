import { nameOf, namespaceOf } from '@slipway/kube/object'
import { annotations } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { isFinished, succeededCondition } from '@slipway/model/runs/tekton'
import { commitUrl, pullUrl } from './git-url'
import { html, type Html } from './html'
import type { Commit, GitRepository, PullRequest } from './repository'

/** What a page shows. */
export interface View {
  repository: GitRepository
  /** The repository's path on this server, without a trailing slash. */
  at: string
  nowMs: number
}

/** The repository for links to these pages. */
export const linked = ({ repository, at }: View) => ({ provider: repository.provider, url: at })

export function pullTable(view: View, pulls: PullRequest[], emptyText: string): Html {
  if (pulls.length === 0) return html`<p class="quiet">${emptyText}</p>`
  return table(
    ['Pull request', 'State', 'Author', 'Opened'],
    pulls.map(({ number, title, state, author, openedAt }) => [
      html`<a href="${pullUrl(linked(view), number)}">#${number} ${title}</a>`,
      badge(state, state),
      author,
      time(view, openedAt),
    ]),
  )
}

export const commitTable = (view: View, commits: Commit[]): Html =>
  table(
    ['Commit', 'Title', 'Author', 'Time'],
    commits.map(({ sha, title, author, time: at }) => [
      html`<a href="${commitUrl(linked(view), sha)}"><code>${sha.slice(0, 7)}</code></a>`,
      title,
      author,
      time(view, at),
    ]),
  )

export function checkTable(runs: PipelineRun[]): Html {
  if (runs.length === 0) return html`<p class="quiet">No builds yet</p>`
  return table(
    ['Check', 'Outcome', 'Namespace'],
    runs.map((run) => [runLink(run), checkBadge(run), namespaceOf(run)]),
  )
}

const table = (headings: string[], rows: (Html | string | undefined)[][]): Html =>
  html`<table>
    <thead>
      <tr>
        ${headings.map((heading) => html`<th scope="col">${heading}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (cells) =>
          html`<tr>
            ${cells.map((cell) => html`<td>${cell}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`

/** Annotations are untrusted, so other schemes (`javascript:`) are not linked. */
function runLink(run: PipelineRun): Html {
  const url = run.metadata.annotations?.[annotations.pacLogUrl] ?? ''
  return /^https?:\/\//i.test(url) ? html`<a href="${url}">${nameOf(run)}</a>` : html`${nameOf(run)}`
}

function checkBadge(run: PipelineRun): Html {
  if (!isFinished(run)) return badge('running', 'In progress')
  const { status, reason = '' } = succeededCondition(run) ?? {}
  return status === 'True' ? badge('succeeded', 'Succeeded') : badge('failed', reason || 'Failed')
}

export const badge = (kind: string, text: string): Html => html`<span class="badge ${kind}">${text}</span>`

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

export function time({ nowMs }: View, at: string): Html {
  const agoMs = nowMs - Date.parse(at)
  const [unit, unitMs] = units.find(([, lengthMs]) => agoMs >= lengthMs) ?? ['minute', 60_000]
  const text = Number.isFinite(agoMs) ? relative.format(-Math.floor(Math.max(0, agoMs) / unitMs), unit) : at
  return html`<time datetime="${at}" title="${at}">${text}</time>`
}
