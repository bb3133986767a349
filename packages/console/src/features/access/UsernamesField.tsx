import { Label, LabelGroup, TextInputGroup, TextInputGroupMain } from '@patternfly/react-core'
import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react'
import { afterPress } from '../../ui/form/after-press'
import { Field } from '../../ui/form/Field'
import { useField } from '../../ui/form/use-field'
import { type AccessInput, usernameError } from './access-form'

/** No username contains one of these. */
const separators = /[\s,;]+/

/** Several usernames: typed text becomes an entry on Enter or when the field loses focus, as with Tab. */
export function UsernamesField() {
  const field = useField<AccessInput['usernames']>('usernames')
  const [typed, setTyped] = useState('')
  const names = field.value
  // Names that the form starts with are checked at once: no user types them, so the form would not validate them.
  const error = field.error ?? names.map(usernameError).find(Boolean)

  const add = (text = typed) => {
    setTyped('')
    const added = [...new Set([...names, ...text.split(separators).filter(Boolean)])]
    if (added.length > names.length) field.onChange(added)
  }
  const input = useRef<HTMLInputElement>(null)
  const removeEntry = (name: string) => {
    field.onChange(names.filter((each) => each !== name))
    // The pressed button is removed with the entry.
    input.current?.focus()
  }
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text').trim()
    if (!separators.test(text)) return
    // A list was pasted. The browser would drop its line breaks.
    event.preventDefault()
    add(`${typed} ${text}`)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && typed.trim()) {
      event.preventDefault()
      add()
    } else if (event.key === 'Backspace' && !typed && names.length > 0) {
      field.onChange(names.slice(0, -1))
    }
  }
  return (
    <Field
      field={{ id: field.id, error }}
      label="Usernames"
      description="Press Enter after each username. Use the name they sign in with."
      isRequired
    >
      <TextInputGroup validated={error ? 'error' : undefined}>
        <TextInputGroupMain
          inputId={field.id}
          ref={(element: HTMLInputElement | null) => {
            input.current = element
            field.ref(element)
          }}
          value={typed}
          onChange={(_, text) => setTyped(text)}
          onBlur={() => {
            // Add the typed text before the field is validated.
            afterPress(() => {
              add()
              field.onBlur()
            })
          }}
          aria-label="Usernames"
          inputProps={{
            // Not next to `onChange`, where it would also handle the keys of the entries' buttons.
            onKeyDown,
            onPaste,
            'aria-describedby': field.inputProps['aria-describedby'],
            'aria-invalid': error !== undefined,
            autoComplete: 'off',
            autoCapitalize: 'none',
            spellCheck: false,
          }}
        >
          {names.length > 0 && (
            <LabelGroup aria-label="Entered usernames" numLabels={names.length}>
              {names.map((name) => (
                <Label
                  key={name}
                  variant="outline"
                  status={usernameError(name) ? 'danger' : undefined}
                  closeBtnAriaLabel={`Remove ${name}`}
                  onClose={() => removeEntry(name)}
                >
                  {name}
                </Label>
              ))}
            </LabelGroup>
          )}
        </TextInputGroupMain>
      </TextInputGroup>
    </Field>
  )
}
