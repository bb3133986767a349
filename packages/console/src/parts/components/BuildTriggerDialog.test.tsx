import { labels } from '@slipway/model/labels'
import { aComponent, anApplication, aPipelineRun } from '@slipway/model/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { paths } from '../../paths'

const condition = 'pipelinesascode.tekton.dev/on-cel-expression'
const build = (name: string, event: 'push' | 'pull_request', expression: string) =>
  aPipelineRun({
    metadata: {
      name: `${name}-x4k2p`,
      labels: { [labels.eventType]: event },
      annotations: { [condition]: expression, [labels.originalPipelineRunName]: name },
    },
  })
const builds = [
  build('api-on-push', 'push', 'event == "push" && target_branch == "main" && "src/**".pathChanged()'),
  build('api-on-pull-request', 'pull_request', 'event == "pull_request" && target_branch == "main"'),
]

async function openDialog(objects = builds) {
  const at = { namespace, application: 'checkout', component: 'checkout-api' }
  const { user } = await renderRoute(paths.component(at), { objects: [anApplication(), aComponent(), ...objects] })
  await user.click(await screen.findByRole('button', { name: 'Why was it not built?' }))
  const dialog = within(await screen.findByRole('dialog', { name: /Why was it not built/ }))
  return { user, dialog }
}

describe('why a component was not built', () => {
  it('is evaluated for a push to its branch, with the pipelines of its newest builds', async () => {
    const { user, dialog } = await openDialog()
    expect(dialog.getByRole('textbox', { name: /^Branch/ })).toHaveValue('main')
    const result = await dialog.findByRole('status')
    await waitFor(() => expect(result).toHaveTextContent(/api-on-push may be built: not all that decides it is known/))
    expect(result).toHaveTextContent(
      'api-on-pull-request is not built, since event == "pull_request" is false: event is "push"',
    )
    expect(
      within(dialog.getByRole('list', { name: 'Conditions of api-on-push' }))
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      ' event == "push" true',
      ' target_branch == "main" true',
      ' "src/**".pathChanged() not known: the changed files are not known',
    ])
    await user.type(dialog.getByRole('textbox', { name: 'Changed files' }), 'docs/a.md')
    await waitFor(() =>
      expect(result).toHaveTextContent('api-on-push is not built, since "src/**".pathChanged() is false'),
    )
  })

  it('follows the branch and the kind of event', async () => {
    const { user, dialog } = await openDialog()
    await user.click(dialog.getByRole('radio', { name: 'A new or changed pull request' }))
    const result = await dialog.findByRole('status')
    await waitFor(() => expect(result).toHaveTextContent(/api-on-pull-request is built/))
    const branch = dialog.getByRole('textbox', { name: /^Target branch/ })
    await user.clear(branch)
    await user.type(branch, 'next')
    await waitFor(() =>
      expect(result).toHaveTextContent(
        'api-on-pull-request is not built, since target_branch == "main" is false: target_branch is "next"',
      ),
    )
  })

  it('is evaluated for files that are pasted', async () => {
    const { user, dialog } = await openDialog([])
    const result = await dialog.findByRole('status')
    expect(result).toHaveTextContent('No build is known. Paste the files of the folder .tekton.')
    await user.click(dialog.getByRole('textbox', { name: 'Pipelines of the repository' }))
    await user.paste(
      `kind: PipelineRun\nmetadata: { name: pasted, annotations: { ${condition}: 'event == "incoming"' } }`,
    )
    await waitFor(() => expect(result).toHaveTextContent('pasted is not built, since event == "incoming" is false'))
    await user.paste('\n\t- [')
    await waitFor(() => expect(result).toHaveTextContent(/^The text cannot be read: /))
  })
})
