import { Button } from '@patternfly/react-core'
import AddIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-add-circle-icon'
import DownIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-arrow-down-icon'
import RemoveIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-minus-circle-icon'
import UpIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-arrow-up-icon'
import { createContext, type KeyboardEvent, type ReactNode, use, useEffect, useId, useRef, useState } from 'react'
import { type FieldValues, useFieldArray, useFormContext } from 'react-hook-form'
import { capitalize } from '../../lib/capitalize'
import { Field, type FieldProps } from './Field'
import { useFieldError } from './use-field'
import './FieldRows.css'

export interface FieldRowsProps<Name extends string = string, Row = never, NewRow = unknown> extends FieldProps<Name> {
  /** What one row is called, as in `Add {noun}`. */
  noun: string
  /** Replaces `Add {noun}`. */
  addLabel?: string
  /** Values of an added row. @param rows current values of the others, such as names that the new row must not repeat */
  newRow: (rows: readonly Row[]) => NewRow
  minRows?: number
  /** Replaces the only row when it is removed, so that there is always one. */
  blankRow?: NewRow
  /** Whether rows cannot be moved. */
  isOrderFixed?: boolean
  /** Whether rows can be neither added, removed nor moved. */
  areRowsFixed?: boolean
  /** The fields of a row. */
  children: (index: number) => ReactNode
}

/** What has the focus after a change: an element that moved, the start of a row, or the button that adds rows. */
type FocusTarget = HTMLElement | { row: number; selector: string } | 'add'

/** The name of the row around a list, which tells its rows from those of other lists. */
const OuterRow = createContext<string | undefined>(undefined)

/**
 * A list of equal groups of fields. Rows move with their buttons, or with Alt and the arrow keys from anywhere inside.
 * The focus goes with a moved row, into an added one, and to the neighbour of a removed one.
 *
 * The schema may have rules across rows: every change validates the whole list. Errors at the path of a field, such as
 * `[2, 'name']`, appear once the user has been in that field; errors of the list itself appear below it.
 */
export function FieldRows({
  name,
  noun,
  addLabel = `Add ${noun}`,
  newRow,
  minRows = 0,
  blankRow,
  areRowsFixed = false,
  isOrderFixed = areRowsFixed,
  children,
  ...shell
}: FieldRowsProps) {
  const id = useId()
  const { error } = useFieldError(name, { isList: true })
  const { clearErrors, getValues } = useFormContext()
  // The type of the rows is checked by `fieldsOf`.
  const { fields, append, remove, move, replace } = useFieldArray<FieldValues>({ name })
  const list = useRef<HTMLDivElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const [target, setTarget] = useState<FocusTarget>()
  const [announcement, setAnnouncement] = useState('')
  const outerRow = use(OuterRow)
  const title = (index: number) => `${capitalize(noun)} ${index + 1}${outerRow ? ` of ${outerRow}` : ''}`

  useEffect(() => {
    if (!target) return
    if (target instanceof HTMLElement) target.focus()
    else if (target === 'add') addButton.current?.focus()
    else list.current?.children[target.row]?.querySelector<HTMLElement>(target.selector)?.focus()
  }, [target])

  const change = (apply: () => void, focus: FocusTarget | undefined, message: string) => {
    // Errors from the server name rows by their position, which changes.
    clearErrors('root')
    apply()
    setTarget(focus)
    setAnnouncement(message)
  }
  const addRow = () =>
    change(
      () => append(Object(newRow(getValues(name))), { shouldFocus: false }),
      { row: fields.length, selector: 'input, textarea, button' },
      `${title(fields.length)} added`,
    )
  const removeRow = (index: number) => {
    const isOnly = fields.length === 1
    change(
      () => (isOnly && blankRow ? replace([Object(blankRow)]) : remove(index)),
      isOnly && !blankRow ? 'add' : { row: Math.max(0, Math.min(index, fields.length - 2)), selector: '[data-remove]' },
      `${title(index)} ${isOnly && blankRow ? 'cleared' : 'removed'}`,
    )
  }
  const moveRow = (from: number, to: number) => {
    if (to < 0 || to >= fields.length) return
    // A browser takes the focus from an element that is moved.
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement : undefined
    change(() => move(from, to), focused, `${title(from)} moved to position ${to + 1} of ${fields.length}`)
  }
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (isOrderFixed || !event.altKey || !step || event.defaultPrevented) return
    event.preventDefault()
    moveRow(index, index + step)
  }
  return (
    <Field field={{ id, error }} role="group" {...shell}>
      <div ref={list} className="slipway-rows">
        {fields.map((row, index) => (
          <div
            key={row.id}
            role="group"
            aria-label={title(index)}
            className="slipway-rows__row"
            onKeyDown={(event) => onKeyDown(event, index)}
          >
            <div className="slipway-rows__fields">
              <OuterRow value={title(index)}>{children(index)}</OuterRow>
            </div>
            {!areRowsFixed && (
              <div className="slipway-rows__actions">
                {!isOrderFixed && fields.length > 1 && (
                  <>
                    <RowButton
                      label={`Move ${title(index)} up`}
                      icon={<UpIcon />}
                      isAriaDisabled={index === 0}
                      onClick={() => moveRow(index, index - 1)}
                    />
                    <RowButton
                      label={`Move ${title(index)} down`}
                      icon={<DownIcon />}
                      isAriaDisabled={index === fields.length - 1}
                      onClick={() => moveRow(index, index + 1)}
                    />
                  </>
                )}
                <RowButton
                  label={`Remove ${title(index)}`}
                  icon={<RemoveIcon />}
                  isAriaDisabled={fields.length <= minRows}
                  onClick={() => removeRow(index)}
                  data-remove
                />
              </div>
            )}
          </div>
        ))}
      </div>
      {!areRowsFixed && (
        <div>
          <Button
            ref={addButton}
            variant="link"
            isInline
            icon={<AddIcon />}
            aria-label={outerRow && `${addLabel} to ${outerRow}`}
            onClick={addRow}
          >
            {addLabel}
          </Button>
        </div>
      )}
      <span role="status" className="pf-v6-screen-reader">
        {announcement}
      </span>
    </Field>
  )
}

interface RowButtonProps {
  label: string
  icon: ReactNode
  isAriaDisabled: boolean
  onClick: () => void
  'data-remove'?: boolean
}

/** Never `disabled`: the first row's button to move up may have the focus. */
const RowButton = ({ label, ...props }: RowButtonProps) => <Button variant="plain" aria-label={label} {...props} />
