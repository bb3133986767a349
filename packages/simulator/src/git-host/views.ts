import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { branchUrl, pullUrl, type GitProvider } from './git-url'
import { html, type Html } from './html'
import { badge, checkTable, commitTable, linked, pullTable, time, type View } from './parts'
import type { Branch, Commit, GitRepository, PullRequest } from './repository'

const providerNames: Record<GitProvider, string> = { github: 'GitHub', gitlab: 'GitLab', bitbucket: 'Bitbucket' }

interface Page {
  title: string
  /** Breadcrumbs: path and name of the pages above, from the top. */
  breadcrumbs: [string, string][]
  content: Html
}

/** @param base path of the front page of the git host, without a trailing slash */
export const document = ({ title, breadcrumbs, content }: Page, base: string): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Git host</title>
        <link rel="stylesheet" href="${base}/-/style.css" />
      </head>
      <body>
        <header>
          <a class="skip" href="#content">Skip to content</a>
          <nav aria-label="Breadcrumb">
            <ol>
              <li><a href="${base}/">Git host</a></li>
              ${breadcrumbs.map(([href, name]) => html`<li><a href="${href}">${name}</a></li>`)}
            </ol>
          </nav>
        </header>
        <main id="content">
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`

export const message = (title: string, text: string): Page => ({
  title,
  breadcrumbs: [],
  content: html`<p>${text}</p>`,
})

const breadcrumbsOf = ({ repository, at }: View): Page['breadcrumbs'] => [
  [at, `${repository.host}/${repository.organization}/${repository.name}`],
]

export function repositoryList(repositories: { repository: GitRepository; at: string }[]): Page {
  const rows = repositories.map(
    ({ repository, at }) =>
      html`<tr>
        <td><a href="${at}">${repository.organization}/${repository.name}</a></td>
        <td>${repository.host}</td>
        <td>${repository.pullRequests.filter(({ state }) => state === 'open').length}</td>
      </tr>`,
  )
  const content = html`<table>
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Host</th>
        <th scope="col">Open pull requests</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`
  const empty = html`<p>No repositories yet. Each component of the cluster adds its own.</p>`
  return { title: 'Repositories', breadcrumbs: [], content: rows.length > 0 ? content : empty }
}

export function overview(view: View): Page {
  const { repository, at } = view
  const main = repository.branches.find(({ name }) => name === repository.defaultBranch)
  const open = repository.pullRequests.filter(({ state }) => state === 'open')
  const previous = repository.pullRequests.filter(({ state }) => state !== 'open')
  return {
    title: `${repository.organization}/${repository.name}`,
    breadcrumbs: [],
    content: html`
      <p class="quiet">Simulated ${providerNames[repository.provider]} repository: ${repository.url}</p>
      <h2>Open pull requests</h2>
      ${pullTable(view, open, 'No open pull requests')}
      <h2>Branches</h2>
      <ul>
        ${repository.branches.map((branch) => branchItem(view, branch))}
      </ul>
      <h2>Commits on ${repository.defaultBranch}</h2>
      ${commitTable(view, main?.commits.slice(0, 15) ?? [])}
      <h2>New pull request</h2>
      ${changeForm(view, at, 'open-pull-request', 'Open pull request')}
      <h2>New commit</h2>
      ${changeForm(view, at, 'push', 'Push commit')}
      <h2>Closed pull requests</h2>
      ${pullTable(view, previous, 'No closed pull requests')}
    `,
  }
}

export function branchPage(view: View, branch: Branch): Page {
  return {
    title: branch.name,
    breadcrumbs: breadcrumbsOf(view),
    content: html`
      <h2>Commits</h2>
      ${commitTable(view, branch.commits)}
    `,
  }
}

export function filePage(view: View, branch: string, path: string): Page {
  const text = 'File contents are not simulated, only who changed them and when.'
  return {
    title: path,
    breadcrumbs: [...breadcrumbsOf(view), [branchUrl(linked(view), branch), branch]],
    content: html`<p>${text}</p>`,
  }
}

export function commitPage(view: View, commit: Commit, runs: PipelineRun[]): Page {
  return {
    title: commit.title,
    breadcrumbs: breadcrumbsOf(view),
    content: html`
      <p class="quiet"><code>${commit.sha}</code> by ${commit.author}, ${time(view, commit.time)}</p>
      ${commit.body !== undefined && html`<p class="text">${commit.body}</p>`}
      ${
        commit.merges !== undefined &&
        html`<p>Merges <a href="${pullUrl(linked(view), commit.merges)}">pull request #${commit.merges}</a>.</p>`
      }
      <h2>Checks</h2>
      ${checkTable(runs)}
    `,
  }
}

export function pullPage(view: View, pull: PullRequest, runs: PipelineRun[]): Page {
  const address = pullUrl(linked(view), pull.number)
  const button = (action: string, name: string) => html`
    <form method="post" action="${address}"><button name="action" value="${action}">${name}</button></form>
  `
  return {
    title: `${pull.title} #${pull.number}`,
    breadcrumbs: breadcrumbsOf(view),
    content: html`
      <p>
        ${badge(pull.state, pull.state)} ${pull.author} wants to merge <code>${pull.source}</code> into
        <code>${pull.target}</code>, ${time(view, pull.openedAt)}
      </p>
      ${
        pull.closedBy !== undefined &&
        html`<p class="quiet">
          ${pull.state === 'merged' ? 'Merged' : 'Closed'} by ${pull.closedBy}, ${time(view, pull.closedAt ?? '')}
        </p>`
      }
      ${pull.body && html`<p class="panel text">${pull.body}</p>`}
      ${
        pull.state === 'open' &&
        html`<div class="actions">
          ${button('merge', 'Merge')} ${button('close', 'Close')} ${button('retest', 'Comment /retest')}
        </div>`
      }
      <h2>Checks</h2>
      ${checkTable(runs)}
      <h2>Commits</h2>
      ${commitTable(view, pull.commits)}
      <h2>Comments</h2>
      ${pull.comments.length === 0 && html`<p class="quiet">No comments yet</p>`}
      ${pull.comments.map(
        ({ author, text, time: at }) =>
          html`<article class="panel">
            <p class="quiet">${author}, ${time(view, at)}</p>
            <p class="text">${text}</p>
          </article>`,
      )}
      <form class="stack" method="post" action="${address}">
        <label>Comment <textarea name="text" rows="3" maxlength="4000" required></textarea></label>
        <button name="action" value="comment">Comment</button>
      </form>
      ${
        pull.state === 'open' &&
        html`<h2>New commit</h2>
          <form class="stack" method="post" action="${address}">
            <label>Message <input name="title" maxlength="200" required /></label>
            <button name="action" value="commit">Push commit</button>
          </form>`
      }
    `,
  }
}

const branchItem = (view: View, { name, pipelines }: Branch): Html => html`
  <li>
    <a href="${branchUrl(linked(view), name)}">${name}</a>
    ${pipelines.length > 0 && html`<span class="quiet">builds ${pipelines.join(', ')}</span>`}
  </li>
`

function changeForm({ repository }: View, address: string, action: string, label: string): Html {
  return html`<form class="stack" method="post" action="${address}">
    <label>Title <input name="title" maxlength="200" required /></label>
    <label>
      Branch
      <select name="branch">
        ${repository.branches.map(({ name }) => html`<option>${name}</option>`)}
      </select>
    </label>
    <button name="action" value="${action}">${label}</button>
  </form>`
}
