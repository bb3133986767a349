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
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Pull request</th>
        <th scope="col">State</th>
        <th scope="col">Author</th>
        <th scope="col">Opened</th>
      </tr>
    </thead>
    <tbody>
      ${pulls.map(
        ({ number, title, state, author, openedAt }) =>
          html`<tr>
            <td><a href="${pullUrl(linked(view), number)}">#${number} ${title}</a></td>
            <td>${badge(state, state)}</td>
            <td>${author}</td>
            <td>${time(view, openedAt)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
}

export function commitTable(view: View, commits: Commit[]): Html {
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Commit</th>
        <th scope="col">Title</th>
        <th scope="col">Author</th>
        <th scope="col">Time</th>
      </tr>
    </thead>
    <tbody>
      ${commits.map(
        ({ sha, title, author, time: at }) =>
          html`<tr>
            <td>
              <a href="${commitUrl(linked(view), sha)}"><code>${sha.slice(0, 7)}</code></a>
            </td>
            <td>${title}</td>
            <td>${author}</td>
            <td>${time(view, at)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
}

export function checkTable(runs: PipelineRun[]): Html {
  if (runs.length === 0) return html`<p class="quiet">No builds yet</p>`
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Check</th>
        <th scope="col">Outcome</th>
        <th scope="col">Namespace</th>
      </tr>
    </thead>
    <tbody>
      ${runs.map(
        (run) =>
          html`<tr>
            <td>${runLink(run)}</td>
            <td>${checkBadge(run)}</td>
            <td>${namespaceOf(run)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
}

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
