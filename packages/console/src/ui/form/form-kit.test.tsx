import { configMapType, type ConfigMap } from '@slipway/kube/core-types'
import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod/mini'
import { renderElement } from '../../../test/render-element'
import { namespace } from '../../../test/cluster'
import { expectNoTrace } from '../../../test/traces'
import { create, type Write } from '../../api/writes/writes'
import { emptyFile, type FileValue } from '../../lib/file-value'
import { fieldsOf } from './fields'
import { FormDialog } from './FormDialog'
import { FormPage } from './FormPage'
import type { Option, OptionsQuery } from './options'
import { useResourceForm } from './resource-form'

const file = z.custom<FileValue>()
const schema = z.object({
  name: z.string().check(z.minLength(1, { error: 'Required' })),
  notes: z.string(),
  token: z.string(),
  isPrivate: z.boolean(),
  visibility: z.string().check(z.minLength(1, { error: 'Required' })),
  plan: z.string(),
  contexts: z.array(z.string()).check(z.minLength(1, { error: 'Required' })),
  upload: file,
  params: z.array(z.object({ name: z.string(), value: z.string().check(z.minLength(1, { error: 'Required' })) })),
  values: z.array(z.object({ key: z.string(), value: file })),
})
type Values = z.input<typeof schema>

const defaults: Values = {
  name: '',
  notes: '',
  token: '',
  isPrivate: false,
  visibility: 'public',
  plan: '',
  contexts: ['push'],
  upload: emptyFile,
  params: [],
  values: [],
}

const {
  TextField,
  TextAreaField,
  PasswordField,
  CheckboxField,
  RadioField,
  SelectField,
  MultiSelectField,
  FileField,
  FieldRows,
  KeyValuesField,
} = fieldsOf<Values>()

const few: Option[] = ['push', 'pull_request', 'disabled'].map((value) => ({ value }))
const many: Option[] = Array.from({ length: 12 }, (_, index) => ({ value: `plan-${index + 1}` }))

const toWrites = (values: Values): Write[] => [
  create<ConfigMap>(configMapType, {
    metadata: { name: values.name, namespace },
    data: { values: JSON.stringify(values) },
  }),
]

/** The values that the form submitted. */
let sent: Values | undefined

function useTestForm(onClose: () => void) {
  return useResourceForm({
    schema,
    defaults,
    toWrites,
    errorFields: { 'metadata.name': 'name', 'data.params': 'params' },
    onDone: ([applied]) => {
      const { write } = applied ?? {}
      sent = write && 'object' in write ? JSON.parse((write.object as ConfigMap).data?.['values'] ?? '') : undefined
    },
    onCancel: onClose,
  })
}

interface Plans {
  plans?: readonly Option[] | OptionsQuery
  fixedPlans?: readonly Option[]
}

function Fields({ plans = many, fixedPlans }: Plans) {
  return (
    <>
      <TextField name="name" label="Name" description="Lowercase letters." isRequired />
      <TextAreaField name="notes" label="Notes" />
      <PasswordField name="token" label="Token" />
      <CheckboxField name="isPrivate" label="Private" />
      <RadioField name="visibility" label="Visibility" options={[{ value: 'public' }, { value: 'team' }]} />
      <SelectField name="plan" label="Release plan" options={plans} fixedOptions={fixedPlans} />
      <MultiSelectField name="contexts" label="Contexts" options={few} isRequired />
      <FileField name="upload" label="Config file" content="text" />
      <FieldRows
        name="params"
        label="Parameters"
        noun="parameter"
        newRow={(rows) => ({ name: `param${rows.length + 1}`, value: '' })}
      >
        {(index) => (
          <>
            <TextField name={`params.${index}.name`} label="Parameter name" />
            <TextField name={`params.${index}.value`} label="Value" isRequired />
          </>
        )}
      </FieldRows>
      <KeyValuesField name="values" label="Values" />
    </>
  )
}

function TestPage(plans: Plans) {
  const form = useTestForm(() => undefined)
  return (
    <FormPage title="Kit" submitLabel="Create" form={form}>
      <Fields {...plans} />
    </FormPage>
  )
}

const taskSchema = z.object({
  tasks: z
    .array(
      z.object({
        name: z.string().check(z.minLength(1, { error: 'Required' })),
        steps: z.array(z.object({ value: z.string().check(z.minLength(1, { error: 'Required' })) })),
      }),
    )
    .check(
      ({ value, issues }) => {
        for (const [index, { name: input }] of value.entries())
          if (value.filter(({ name }) => name === input).length > 1)
            issues.push({ code: 'custom', path: [index, 'name'], message: 'Names must be unique.', input })
      },
      z.refine((tasks) => !tasks.some(({ name }) => name === 'last') || tasks.at(-1)?.name === 'last', {
        error: 'The last task must be at the end.',
      }),
    ),
  note: z.string(),
})
type TaskValues = z.input<typeof taskSchema>
const TaskFields = fieldsOf<TaskValues>()

/** Adds the lowest free name. */
function newTask(rows: readonly TaskValues['tasks'][number][]): TaskValues['tasks'][number] {
  const names = ['task1', 'task2', 'task3'].filter((name) => rows.every((row) => row.name !== name))
  return { name: names[0] ?? '', steps: [{ value: '' }, { value: 'done' }] }
}

function TasksPage() {
  const form = useResourceForm({
    schema: taskSchema,
    defaults: { tasks: [], note: '' },
    toWrites: () => [],
    onDone: () => undefined,
    onCancel: () => undefined,
  })
  return (
    <FormPage title="Tasks" submitLabel="Create" form={form}>
      <TaskFields.FieldRows name="tasks" label="Tasks" noun="task" newRow={newTask}>
        {(row) => (
          <>
            <TaskFields.TextField name={`tasks.${row}.name`} label="Name" />
            <TaskFields.FieldRows name={`tasks.${row}.steps`} label="Steps" noun="step" newRow={() => ({ value: '' })}>
              {(at) => <TaskFields.TextField name={`tasks.${row}.steps.${at}.value`} label="Command" />}
            </TaskFields.FieldRows>
          </>
        )}
      </TaskFields.FieldRows>
      <TaskFields.TextField name="note" label="Note" />
    </FormPage>
  )
}

function TestDialog() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <h1>Page</h1>
      <button onClick={() => setIsOpen(true)}>Open</button>
      {isOpen && <OpenDialog onClose={() => setIsOpen(false)} />}
    </>
  )
}

function OpenDialog({ onClose }: { onClose: () => void }) {
  const form = useTestForm(onClose)
  return (
    <FormDialog title="Edit" submitLabel="Save" form={form}>
      <TextField name="name" label="Name" isRequired />
    </FormDialog>
  )
}

const box = (name: string) => screen.getByRole('textbox', { name })
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const submit = () => button(/^Create/)
const rows = () => screen.queryAllByRole('group', { name: /^Parameter \d/ })
const rowNames = () =>
  rows().map((row) => within(row).getByRole('textbox', { name: 'Parameter name' }).getAttribute('value'))

async function scene(plans?: Plans['plans'], fixedPlans?: readonly Option[]) {
  sent = undefined
  const view = await renderElement(<TestPage plans={plans} fixedPlans={fixedPlans} />)
  // Lazy components load when they are first rendered.
  await screen.findByRole('button', { name: 'Add key/value pair' })
  await screen.findByRole('textbox', { name: 'Config file' })
  return view
}

describe('the fields', () => {
  it('have labels and descriptions, and pass axe', async () => {
    const { container, user } = await scene()
    await user.click(button('Add parameter'))
    await user.click(button('Add key/value pair'))
    expect(box('Notes')).toBeVisible()
    expect(within(screen.getByRole('group', { name: 'Values' })).getByRole('textbox', { name: 'Key' })).toBeVisible()
    expect(box('Name')).toHaveAccessibleDescription('Lowercase letters.')
    expect(screen.getByRole('radiogroup', { name: 'Visibility' })).toBeVisible()
    expect(button('Release plan Select…')).toBeVisible()
    const { violations } = await axe.run(container, { rules: { 'color-contrast': { enabled: false } } })
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  })

  it('submit what was entered', async () => {
    const { user } = await scene()
    await user.type(box('Name'), 'kit')
    await user.type(box('Notes'), 'one{Enter}two')
    await user.type(screen.getByLabelText('Token'), 'abc')
    expect(screen.getByLabelText('Token')).toHaveAttribute('type', 'password')
    await user.click(button('Show token'))
    expect(box('Token')).toHaveValue('abc')
    await user.click(screen.getByRole('checkbox', { name: 'Private' }))
    await user.click(screen.getByRole('radio', { name: 'team' }))
    await user.click(submit())
    await waitFor(() => expect(sent).toBeDefined())
    expect(sent).toEqual({
      ...defaults,
      name: 'kit',
      notes: 'one\ntwo',
      token: 'abc',
      isPrivate: true,
      visibility: 'team',
    })
  })

  it('are dropped with their values once a password is submitted, even if the page stays', async () => {
    const { user } = await scene()
    await user.type(box('Name'), 'kit')
    await user.type(screen.getByLabelText('Token'), 's3cret')
    await user.click(submit())
    await waitFor(() => expect(sent).toBeDefined())
    expectNoTrace('s3cret')
    expect(screen.getByText('Saved. What you entered is no longer on this page.')).toBeVisible()
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument()
  })

  it('LIST-22 search a long menu by typing, and select with Enter', async () => {
    const { user } = await scene()
    await user.click(button('Release plan Select…'))
    const search = await screen.findByRole('textbox', { name: 'Search release plan' })
    await waitFor(() => expect(search).toHaveFocus())
    expect(screen.getAllByRole('option')).toHaveLength(12)
    await user.type(search, '12')
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['plan-12'])
    await user.keyboard('{Enter}')
    expect(await screen.findByRole('button', { name: 'Release plan plan-12' })).toBeVisible()
    await waitFor(() => expect(screen.queryAllByRole('option')).toEqual([]))
  })

  it('say so when nothing in a menu matches', async () => {
    const { user } = await scene()
    await user.click(button('Release plan Select…'))
    await user.type(await screen.findByRole('textbox', { name: 'Search release plan' }), 'x')
    expect(screen.getByRole('option', { name: 'Nothing matches “x”' })).toHaveAttribute('aria-disabled', 'true')
  })

  it('render the first hundred of thousands of options, and find the others by typing', async () => {
    const options = Array.from({ length: 3_000 }, (_, index) => ({ value: `snapshot-${index}` }))
    const { user } = await scene(options)
    await user.click(button(/^Release plan/))
    expect(await screen.findByText('2,900 more. Type to find one.')).toBeVisible()
    expect(screen.getAllByRole('option')).toHaveLength(101)
    await user.type(screen.getByRole('textbox', { name: 'Search release plan' }), 't-2999')
    await user.click(await screen.findByRole('option', { name: 'snapshot-2999' }))
    expect(button(/^Release plan/)).toHaveTextContent('snapshot-2999')
  })

  it('offer no search in a short menu, and select several', async () => {
    const { user } = await scene()
    await user.click(button('Contexts 1 selected'))
    expect(screen.queryByRole('textbox', { name: /^Search/ })).not.toBeInTheDocument()
    await user.click(await screen.findByRole('option', { name: 'disabled' }))
    await user.keyboard('{Escape}')
    const labels = () => within(screen.getByRole('list', { name: 'Selected contexts' })).getAllByRole('listitem')
    expect(labels().map((label) => label.textContent)).toEqual(['push', 'disabled'])
    await user.click(button('Remove push'))
    expect(labels().map((label) => label.textContent)).toEqual(['disabled'])
    expect(button('Contexts 1 selected')).toHaveFocus()
    await user.click(button('Remove disabled'))
    expect(await screen.findByText('Required')).toBeVisible()
  })

  it('show that options are loading, and why they could not be loaded, with a way to try again', async () => {
    const refetch = vi.fn()
    const waiting = await scene({ error: null, isFetching: true, refetch })
    expect(button('Release plan Loading…')).toBeDisabled()
    waiting.unmount()
    const { user } = await scene({ error: new Error('etcd is down'), isFetching: false, refetch })
    expect(button('Release plan Select…')).toHaveAccessibleDescription(/^Unable to load release plan. etcd is down./)
    await user.click(button('Try again'))
    expect(refetch).toHaveBeenCalledOnce()
  })

  it('offer fixed options while others are loading or could not be loaded, and say so in the menu', async () => {
    const refetch = vi.fn()
    const fixed = [{ value: 'none' }]
    const offered = () => screen.getAllByRole('option').map((option) => option.textContent)
    const waiting = await scene({ error: null, isFetching: true, refetch }, fixed)
    await waiting.user.click(button('Release plan Select…'))
    await screen.findByRole('option', { name: 'none' })
    expect(offered()).toEqual(['none', 'Loading…'])
    expect(screen.getByRole('option', { name: 'Loading…' })).toHaveAttribute('aria-disabled', 'true')
    waiting.unmount()
    const { user } = await scene({ error: new Error('etcd is down'), isFetching: false, refetch }, fixed)
    await user.click(button('Release plan Select…'))
    await screen.findByRole('option', { name: 'none' })
    expect(offered()).toEqual(['none', 'Unable to load release plan'])
    await user.click(screen.getByRole('option', { name: 'none' }))
    expect(button('Release plan none')).toHaveAccessibleDescription(/^Unable to load release plan. etcd is down./)
    await user.click(button('Try again'))
    expect(refetch).toHaveBeenCalledOnce()
  })
})

describe('a file', () => {
  const upload = (user: Awaited<ReturnType<typeof scene>>['user'], content: BlobPart, name = 'config.json') => {
    const input = box('Config file')
      .closest('.pf-v6-c-file-upload')
      ?.querySelector<HTMLInputElement>('input[type=file]')
    return user.upload(input ?? expect.fail('There is no input.'), new File([content], name))
  }

  it('is read as text, which can be edited, and cleared', async () => {
    const { user } = await scene()
    await upload(user, '{"auths":{}}')
    await waitFor(() => expect(box('Config file')).toHaveValue('{"auths":{}}'))
    expect(screen.getByDisplayValue('config.json')).toBeVisible()
    await user.type(box('Config file'), ' ')
    expect(box('Config file')).toHaveValue('{"auths":{}} ')
    await user.click(
      within(screen.getByDisplayValue('config.json').closest('.pf-v6-c-file-upload') ?? document.body).getByRole(
        'button',
        { name: 'Clear' },
      ),
    )
    expect(box('Config file')).toHaveValue('')
  })

  it.each<[string, BlobPart, string]>([
    ['too large', 'x'.repeat(1_048_577), 'config.json is larger than 1 MiB.'],
    ['not text', Uint8Array.from([255, 0]), 'config.json is not a text file.'],
  ])('that is %s is rejected, and the value stays', async (_, content, message) => {
    const { user } = await scene()
    await user.type(box('Config file'), 'typed')
    await upload(user, content)
    expect(await screen.findByText(message)).toBeVisible()
    expect(box('Config file')).toHaveValue('typed')
    expect(box('Config file')).toBeInvalid()
  })
})

describe('rows of fields', () => {
  it('move the focus into an added row, and to the neighbour of a removed one', async () => {
    const { user } = await scene()
    for (let count = 0; count < 3; count++) await user.click(button('Add parameter'))
    expect(rowNames()).toEqual(['param1', 'param2', 'param3'])
    expect(within(rows()[2] ?? document.body).getByRole('textbox', { name: 'Parameter name' })).toHaveFocus()
    await user.click(button('Remove Parameter 2'))
    expect(rowNames()).toEqual(['param1', 'param3'])
    expect(button('Remove Parameter 2')).toHaveFocus()
    await user.click(button('Remove Parameter 2'))
    expect(button('Remove Parameter 1')).toHaveFocus()
    await user.click(button('Remove Parameter 1'))
    expect(button('Add parameter')).toHaveFocus()
    expect(screen.getByText('Parameter 1 removed')).toHaveAttribute('role', 'status')
  })

  it('move with their buttons and with Alt and the arrow keys, and keep focus and values', async () => {
    const { user } = await scene()
    for (let count = 0; count < 3; count++) await user.click(button('Add parameter'))
    await user.click(button('Move Parameter 1 down'))
    expect(rowNames()).toEqual(['param2', 'param1', 'param3'])
    expect(button('Move Parameter 2 down')).toHaveFocus()
    expect(screen.getByText('Parameter 1 moved to position 2 of 3')).toBeInTheDocument()
    const value = within(rows()[2] ?? document.body).getByRole('textbox', { name: 'Value' })
    await user.type(value, 'x')
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}')
    expect(rowNames()).toEqual(['param2', 'param3', 'param1'])
    expect(within(rows()[1] ?? document.body).getByRole('textbox', { name: 'Value' })).toHaveFocus()
    expect(document.activeElement).toHaveValue('x')
    await user.keyboard('{Alt>}{ArrowUp}{ArrowUp}{/Alt}')
    expect(rowNames()).toEqual(['param3', 'param2', 'param1'])
    expect(button('Move Parameter 1 up')).toHaveAttribute('aria-disabled', 'true')
  })

  it('of keys and values take typed and uploaded values', async () => {
    const { user } = await scene()
    await user.type(box('Name'), 'kit')
    await user.click(button('Add key/value pair'))
    const pair = within(await screen.findByRole('group', { name: 'Key/value pair 1' }))
    expect(pair.getByRole('textbox', { name: 'Key' })).toHaveFocus()
    await user.keyboard('cert')
    const input = pair
      .getByRole('textbox', { name: 'Value' })
      .closest('.pf-v6-c-file-upload')
      ?.querySelector<HTMLInputElement>('input[type=file]')
    await user.upload(input ?? expect.fail('There is no input.'), new File([Uint8Array.from([255, 0])], 'cert.der'))
    await pair.findByDisplayValue('cert.der')
    expect(pair.queryByRole('textbox', { name: 'Value' })).not.toBeInTheDocument()
    await user.click(submit())
    await waitFor(() => expect(sent).toBeDefined())
    expect(sent?.values).toEqual([{ key: 'cert', value: { name: 'cert.der', encoding: 'base64', content: '/wA=' } }])
  })
})

describe('rules across rows, and nested rows', () => {
  const task = (number: number) => within(screen.getByRole('group', { name: `Task ${number}` }))
  const taskName = (number: number) => task(number).getByRole('textbox', { name: 'Name' })
  const command = (step: number, number: number) =>
    within(screen.getByRole('group', { name: `Step ${step} of Task ${number}` })).getByRole('textbox')
  const names = () => screen.queryAllByRole<HTMLInputElement>('textbox', { name: 'Name' }).map(({ value }) => value)
  async function tasks(count: number) {
    const view = await renderElement(<TasksPage />)
    for (let added = 0; added < count; added++) await view.user.click(button('Add task'))
    return view
  }

  it('Alt with an arrow key in a nested row moves that row only', async () => {
    const { user } = await tasks(2)
    await user.click(command(2, 2))
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}')
    expect(command(1, 2)).toHaveValue('done')
    expect(names()).toEqual(['task1', 'task2'])
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}')
    expect(names()).toEqual(['task1', 'task2'])
    await user.click(taskName(2))
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}')
    expect(names()).toEqual(['task2', 'task1'])
  })

  it('an error of a clashing row appears and disappears with changes to the other row', async () => {
    const { user } = await tasks(2)
    await user.type(taskName(2), '{Backspace}1')
    await waitFor(() => expect(taskName(2)).toHaveAccessibleDescription(/^Names must be unique./))
    expect(taskName(1)).toBeInvalid()
    await user.type(taskName(1), 'x')
    await waitFor(() => expect(taskName(2)).toBeValid())
    await user.type(taskName(1), '{Backspace}')
    await waitFor(() => expect(taskName(2)).toBeInvalid())
    expect(taskName(1)).toBeInvalid()
    await user.click(button('Remove Task 1'))
    await waitFor(() => expect(taskName(1)).toBeValid())
  })

  it('an error of the list as a whole appears while typing, next to those of its rows', async () => {
    const { user } = await tasks(2)
    const error = 'The last task must be at the end.'
    await user.type(taskName(2), '{Backspace}1')
    await user.clear(taskName(1))
    await user.type(taskName(1), 'last')
    expect(await screen.findByText(error)).toBeVisible()
    await user.clear(taskName(2))
    await waitFor(() => expect(taskName(2)).toHaveAccessibleDescription(/^Required/))
    expect(screen.getByText(error)).toBeVisible()
    await user.type(taskName(2), 'first')
    await waitFor(() => expect(taskName(2)).toBeValid())
    await user.click(button('Move Task 1 down'))
    await waitFor(() => expect(screen.queryByText(error)).not.toBeInTheDocument())
    expect(names()).toEqual(['first', 'last'])
  })

  it('an added row has no errors before the user has been in it, and shows them on request', async () => {
    const { user } = await tasks(1)
    await waitFor(() => expect(submit()).toHaveAccessibleDescription('Some fields are incomplete or invalid.'))
    await user.type(taskName(1), 'x')
    expect(screen.queryByText('Required')).not.toBeInTheDocument()
    await user.click(button('Go to the first one'))
    await waitFor(() => expect(command(1, 1)).toHaveFocus())
    expect(command(1, 1)).toHaveAccessibleDescription(/^Required/)
    await user.click(button('Add task'))
    expect(command(1, 2)).toBeValid()
  })

  it('a new row is made from the current rows, and each button of a nested row is named after both', async () => {
    const { user, container } = await tasks(2)
    await user.click(button('Remove Task 1'))
    await user.type(taskName(1), '{Backspace}3')
    await user.click(button('Add task'))
    expect(names()).toEqual(['task3', 'task1'])
    await user.click(button('Add step to Task 2'))
    expect(screen.getByText('Step 3 of Task 2 added')).toHaveAttribute('role', 'status')
    expect(command(3, 2)).toHaveFocus()
    await user.click(button('Remove Step 3 of Task 2'))
    expect(button('Remove Step 2 of Task 2')).toHaveFocus()
    expect(button('Move Step 2 of Task 1 up')).toBeVisible()
    const labels = screen.getAllByRole('button').map((each) => each.getAttribute('aria-label') ?? each.textContent)
    expect(new Set(labels).size).toBe(labels.length)
    const { violations } = await axe.run(container, { rules: { 'color-contrast': { enabled: false } } })
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  })
})

describe('a form', () => {
  it('FORM-01, FORM-02 says why it cannot be submitted, and leads to the first invalid field', async () => {
    const { user } = await scene()
    expect(submit()).toHaveAccessibleDescription('Nothing has been changed yet.')
    await user.click(button('Add parameter'))
    expect(submit()).toHaveAttribute('aria-disabled', 'true')
    await waitFor(() => expect(submit()).toHaveAccessibleDescription('Some fields are incomplete or invalid.'))
    await user.click(button('Go to the first one'))
    await waitFor(() => expect(box('Name')).toHaveFocus())
    expect(box('Name')).toHaveAccessibleDescription(/^Required/)
    await user.type(box('Name'), 'kit')
    await user.click(button('Go to the first one'))
    await waitFor(() =>
      expect(within(rows()[0] ?? document.body).getByRole('textbox', { name: 'Value' })).toHaveFocus(),
    )
  })

  it('does not render the rest of the form again for a letter that changes nothing there', async () => {
    const rendered: string[] = []
    const Probe = ({ at }: { at: string }) => void rendered.push(at)
    function ProbedPage() {
      const form = useTestForm(() => undefined)
      return (
        <FormPage title="Kit" submitLabel="Create" form={form}>
          <TextField name="name" label="Name" />
          <TextField name="notes" label="Notes" description={<Probe at="another field" />} />
          <Probe at="page" />
        </FormPage>
      )
    }
    const { user } = await renderElement(<ProbedPage />)
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'a')
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Create' })).not.toHaveAttribute('aria-disabled', 'true'),
    )
    rendered.length = 0
    await user.keyboard('pi')
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('api')
    expect(rendered).toEqual([])
  })

  it('validates the field that a press leaves only after it, so that what is pressed does not move', async () => {
    const { user } = await scene()
    await user.click(box('Name'))
    await user.pointer({ keys: '[MouseLeft>]', target: button('Cancel') })
    expect(box('Name')).not.toHaveFocus()
    // Validation ends in a later task.
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(box('Name')).not.toHaveAccessibleDescription(/^Required/)
    await user.pointer({ keys: '[/MouseLeft]', target: document.body })
    await waitFor(() => expect(box('Name')).toHaveAccessibleDescription(/^Required/))
  })

  it('validates a field again when data that its rule depends on changes, unless the field is empty', async () => {
    const taken = (names: readonly string[]) =>
      z.string().check(
        z.minLength(1, { error: 'Required' }),
        z.refine((value) => !names.includes(value), { error: 'This name is taken.' }),
      )
    function NamePage() {
      const [names, setNames] = useState<readonly string[]>([])
      const form = useResourceForm({
        schema: z.object({ ...schema.shape, name: taken(names), notes: taken(names) }),
        defaults: { ...defaults, notes: 'web' },
        revalidateOn: { name: names },
        onDone: () => undefined,
        onCancel: () => undefined,
      })
      return (
        <FormPage title="Kit" submitLabel="Create" form={form}>
          <TextField name="name" label="Name" />
          <TextField name="notes" label="Notes" />
          {['api, web', 'web'].map((each) => (
            <button key={each} type="button" onClick={() => setNames(each.split(', '))}>
              List {each}
            </button>
          ))}
        </FormPage>
      )
    }
    const { user } = await renderElement(<NamePage />)
    const name = await screen.findByRole('textbox', { name: 'Name' })
    await user.click(button('List api, web'))
    expect(name).not.toHaveAccessibleDescription(/./)
    await user.click(button('List web'))
    await user.type(name, 'api')
    expect(name).not.toHaveAccessibleDescription(/taken/)
    await user.click(button('List api, web'))
    await waitFor(() => expect(name).toHaveAccessibleDescription(/^This name is taken\./))
    expect(box('Notes')).not.toHaveAccessibleDescription(/taken/)
    await user.click(button('List web'))
    await waitFor(() => expect(name).not.toHaveAccessibleDescription(/taken/))
  })

  it('shows server errors at their fields, and the rest in the footer', async () => {
    const { user, cluster } = await scene()
    const causes = [
      { field: 'metadata.name', message: 'must not be "kit"' },
      { field: 'data.params[1].value', message: 'must be a number' },
      { field: 'data.params[9]', message: 'are too many' },
    ]
    const refuse = (extra: { field: string; message: string }[]) =>
      cluster.faults.intercept((path, { method }) =>
        method === 'POST' && path.includes('/configmaps')
          ? Response.json(
              {
                kind: 'Status',
                status: 'Failure',
                code: 422,
                reason: 'Invalid',
                message: 'ConfigMap "kit" is invalid',
                details: { causes: [...causes, ...extra] },
              },
              { status: 422 },
            )
          : undefined,
      )
    const heal = refuse([])
    await user.click(button('Add parameter'))
    await user.click(button('Add parameter'))
    for (const row of rows()) await user.type(within(row).getByRole('textbox', { name: 'Value' }), 'x')
    const name = box('Name')
    await user.type(name, 'kit')
    await user.click(submit())
    await waitFor(() => expect(name).toHaveAccessibleDescription(/^must not be "kit"/))
    expect(name).toHaveFocus()
    const value = within(rows()[1] ?? document.body).getByRole('textbox', { name: 'Value' })
    expect(value).toHaveAccessibleDescription(/^must be a number/)
    expect(screen.getByText('are too many')).toBeVisible()
    expect(screen.queryByText('An error occurred')).not.toBeInTheDocument()
    // The error stays after blur and disappears when the value changes; the unchanged form can be submitted again.
    await user.tab()
    expect(name).toHaveAccessibleDescription(/^must not be "kit"/)
    expect(submit()).not.toHaveAttribute('aria-disabled', 'true')
    await user.type(name, '2')
    expect(name).toHaveAccessibleDescription('Lowercase letters.')
    heal()
    refuse([{ field: 'immutable', message: 'field is immutable' }])
    await user.click(submit())
    expect(await screen.findByText('An error occurred')).toBeVisible()
    expect(value).toHaveAccessibleDescription(/^must be a number/)
  })
})

describe('unsaved input', () => {
  const pageIsLeft = async (navigate: Promise<void>) => void (await navigate)

  it('is not lost by a navigation or a reload without confirmation', async () => {
    const { user, router } = await scene()
    const isReloadHeld = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
    expect(isReloadHeld()).toBe(false)
    await user.type(box('Name'), 'kit')
    expect(isReloadHeld()).toBe(true)
    await pageIsLeft(router.navigate('/elsewhere'))
    const dialog = await screen.findByRole('dialog', { name: /Discard unsaved changes/ })
    expect(within(dialog).getByText('Your changes will be lost!')).toBeVisible()
    await user.click(within(dialog).getByRole('button', { name: 'Go back' }))
    expect(router.state.location.pathname).toBe('/')
    await waitFor(() => expect(box('Name')).toHaveValue('kit'))
    await pageIsLeft(router.navigate('/elsewhere'))
    await user.click(await screen.findByRole('button', { name: 'Leave anyway' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/elsewhere'))
  })

  it('needs no confirmation when only the query changes', async () => {
    const { user, router } = await scene()
    await user.type(box('Name'), 'kit')
    await router.navigate('/?tab=a')
    expect(router.state.location.search).toBe('?tab=a')
  })

  it('FORM-13, FORM-14, FORM-15, FORM-16 is kept in a dialog unless the user discards it', async () => {
    const { user } = await renderElement(<TestDialog />)
    const edit = () => screen.queryByRole('dialog', { name: 'Edit', hidden: true })
    await user.click(button('Open'))
    await waitFor(() => expect(box('Name')).toHaveFocus())
    await user.keyboard('kit{Escape}')
    expect(await screen.findByText('Your changes will be lost!')).toBeVisible()
    await waitFor(() => expect(button('Go back')).toHaveFocus())
    await user.keyboard('{Enter}')
    await waitFor(() => expect(box('Name')).toHaveValue('kit'))
    await user.click(button('Cancel'))
    await user.click(await screen.findByRole('button', { name: 'Close anyway' }))
    expect(edit()).not.toBeInTheDocument()
    expect(screen.queryByText('Your changes will be lost!')).not.toBeInTheDocument()
    await waitFor(() => expect(button('Open')).toHaveFocus())
    await user.click(button('Open'))
    await user.keyboard('{Escape}')
    expect(edit()).not.toBeInTheDocument()
  })
})
