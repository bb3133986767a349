import { secretType, type Secret } from '@slipway/kube/core-types'
import { aComponent } from '@slipway/model/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { renderElement } from '../../../test/render-element'
import { expectNoTrace } from '../../../test/traces'
import { type AddedSecret, NewSecretDialog } from './NewSecretDialog'

const pull: Secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'quay', namespace },
  type: 'kubernetes.io/dockerconfigjson',
  data: { '.dockerconfigjson': btoa('{"auths":{}}') },
}
const other: Secret = { ...pull, metadata: { name: 'token', namespace }, type: 'Opaque', data: { a: '' } }

async function scene(addedNames: string[] = []) {
  const added: AddedSecret[] = []
  const view = await renderElement(
    <NewSecretDialog
      namespace={namespace}
      addedNames={addedNames}
      onAdd={(secret) => void added.push(secret)}
      onClose={() => undefined}
    />,
    { objects: [pull, other, aComponent({ metadata: { name: 'api', namespace } })] },
  )
  const dialog = within(await screen.findByRole('dialog', { name: 'Create new build secret' }))
  const name = () => dialog.getByRole('combobox', { name: 'Secret name' })
  const submit = () => dialog.getByRole('button', { name: 'Add secret' })
  const enabled = () => waitFor(() => expect(submit()).not.toHaveAttribute('aria-disabled', 'true'))
  await dialog.findByRole('textbox', { name: 'Value' })
  return { ...view, added, dialog, name, submit, enabled }
}

it('SEC-23, SEC-56, SEC-57 a preset fills in its key, which cannot be changed, and nothing is written', async () => {
  const { user, cluster, added, dialog, name, submit, enabled } = await scene()
  await user.click(dialog.getByRole('button', { name: 'Suggestions for secret name' }))
  await user.click(await screen.findByRole('option', { name: /^snyk-secret/ }))
  expect(name()).toHaveValue('snyk-secret')
  const key = await dialog.findByDisplayValue('snyk_token')
  expect(key).toHaveAttribute('readonly')
  expect(dialog.queryByRole('button', { name: /^(Add|Remove) .*key/ })).not.toBeInTheDocument()
  await user.type(dialog.getByRole('textbox', { name: 'Value' }), 'abc')
  await enabled()
  await user.click(submit())
  await waitFor(() => expect(added).toHaveLength(1))
  expect(added).toMatchObject([
    {
      isNew: true,
      name: 'snyk-secret',
      values: { kind: 'opaque', keyValues: [{ key: 'snyk_token', value: { encoding: 'text', content: 'abc' } }] },
    },
  ])
  const { items } = await cluster.system.list(secretType, { namespace })
  expect(items.map(({ metadata }) => metadata.name)).toEqual(['quay', 'token'])
  expect(cluster.calls.filter(({ method, path }) => method !== 'GET' && path.includes('/secrets'))).toEqual([])
})

it('the values of a secret leave the dialog when it is added', async () => {
  const { user, added, dialog, name, submit, enabled } = await scene()
  await user.type(name(), 'mine')
  await user.type(dialog.getByRole('textbox', { name: 'Key' }), 'k')
  await user.type(dialog.getByRole('textbox', { name: 'Value' }), 's3cret')
  await enabled()
  await user.click(submit())
  await waitFor(() => expect(added).toHaveLength(1))
  expectNoTrace('s3cret')
})

it('SEC-23 an existing secret is added without values', async () => {
  const { user, added, dialog, name, submit, enabled } = await scene()
  await user.type(name(), 'qu')
  await screen.findByRole('option', { name: /^quay/ })
  await user.keyboard('{ArrowDown}{Enter}')
  expect(name()).toHaveValue('quay')
  expect(await dialog.findByText('quay exists. Its values stay as they are.')).toBeVisible()
  expect(dialog.queryByRole('textbox', { name: 'Value' })).not.toBeInTheDocument()
  await enabled()
  await user.click(submit())
  await waitFor(() => expect(added).toHaveLength(1))
  expect(added).toMatchObject([{ isNew: false, secret: { metadata: { name: 'quay' } } }])
})

it.each([
  ['SEC-42', 'token', 'Secret already exists'],
  ['SEC-23', 'mine', 'This secret has already been added.'],
])('%s the name %s is rejected', async (_, text, message) => {
  const { user, dialog, name } = await scene(['mine'])
  await user.type(name(), text)
  expect(await dialog.findByText(message)).toBeVisible()
  expect(name()).toBeInvalid()
})

it('SEC-25, SEC-26, SEC-27 asks what a secret is for, and which components it is linked to besides the new one', async () => {
  const { user, added, dialog, name, submit, enabled } = await scene()
  const links = () => dialog.queryByRole('radiogroup', { name: /^Link to components/ })
  expect(dialog.getByRole('radio', { name: /^Build/ })).toBeChecked()
  expect(links()).not.toBeInTheDocument()
  await user.type(name(), 'git-token')
  await user.click(dialog.getByRole('radio', { name: /^Source/ }))
  expect(dialog.getByRole('radio', { name: /^None/ })).toBeChecked()
  expect(dialog.getByText('Only the new component.')).toBeVisible()
  await user.click(dialog.getByRole('radio', { name: /^Deployment/ }))
  await waitFor(() => expect(links()).not.toBeInTheDocument())
  await user.click(dialog.getByRole('radio', { name: /^Build/ }))
  await user.click(await dialog.findByRole('radio', { name: /^Selected components/ }))
  await user.click(await dialog.findByRole('button', { name: /^Components/ }))
  await user.click(await screen.findByRole('option', { name: /^api/ }))
  await user.keyboard('{Escape}')
  await user.type(dialog.getByRole('textbox', { name: 'Username' }), 'ann')
  await user.type(dialog.getByLabelText(/^Password/), 'secret')
  await enabled()
  await user.click(submit())
  await waitFor(() => expect(added).toHaveLength(1))
  expect(added).toMatchObject([{ values: { secretFor: 'Build', linkOption: 'partial', components: ['api'] } }])
})

it('FORM-13 asks before it loses what was entered, and does not offer to show a change', async () => {
  const { user, dialog, name } = await scene()
  expect(dialog.queryByRole('button', { name: 'Show change' })).not.toBeInTheDocument()
  await user.type(name(), 'x')
  await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  expect(await screen.findByText('Your changes will be lost!')).toBeVisible()
})
