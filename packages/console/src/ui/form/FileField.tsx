import { Button, FileUpload, TextArea } from '@patternfly/react-core'
import { useState } from 'react'
import { emptyFile, type FileContent, type FileValue, formatSize, toFileValue } from '../../lib/file-value'
import { useConfidential } from './confidential'
import { Field, type FieldProps, helpId } from './Field'
import { useField } from './use-field'
import './form.css'

export interface FileFieldProps<Name extends string = string> extends FieldProps<Name> {
  content: FileContent
  /** Whether text is hidden until the user reveals it, and dropped once it is saved, as a password is. */
  isConfidential?: boolean
}

/** The most that a cluster accepts in one Secret or ConfigMap. */
const maxBytes = 1_048_576

/** A file, dropped or chosen. Text can be typed in its place and edited after the upload. */
export function FileField({ name, content, isConfidential = false, ...shell }: FileFieldProps) {
  const field = useField<FileValue>(name)
  useConfidential(isConfidential)
  const { id, value } = field
  /** Why a file was rejected; the value does not change then. */
  const [rejection, setRejection] = useState<string>()
  const [isShown, setIsShown] = useState(!isConfidential)
  const error = rejection ?? field.error
  const hasText = content !== 'binary' && value.encoding === 'text'
  const inputId = hasText ? id : `${id}-filename`

  const set = (next: FileValue) => {
    setRejection(undefined)
    field.onChange(next)
  }
  const load = async (file: File) => {
    const loaded = toFileValue(file.name, new Uint8Array(await file.arrayBuffer()), content)
    if (loaded) set(loaded)
    else setRejection(`${file.name} is not a text file.`)
  }
  return (
    <Field
      field={{ id: inputId, error }}
      {...shell}
      action={
        isConfidential &&
        hasText &&
        value.content && (
          <Button variant="link" isInline onClick={() => setIsShown(!isShown)}>
            {`${isShown ? 'Hide' : 'Show'} ${shell.label.toLowerCase()}`}
          </Button>
        )
      }
    >
      <FileUpload
        id={id}
        filename={value.name}
        filenamePlaceholder="Drop a file here"
        filenameAriaLabel={value.name ? `File of ${shell.label.toLowerCase()}` : `${shell.label}: no file`}
        browseButtonText="Upload"
        browseButtonAriaDescribedby={helpId(inputId)}
        validated={error ? 'error' : 'default'}
        isClearButtonDisabled={!value.name && !value.content}
        onClearClick={() => set(emptyFile)}
        dropzoneProps={{
          maxSize: maxBytes,
          onDropAccepted: ([file]) => file && void load(file),
          onDropRejected: ([rejected]) =>
            rejected &&
            setRejection(
              rejected.file.size > maxBytes
                ? `${rejected.file.name} is larger than ${formatSize(maxBytes)}.`
                : 'Only one file can be uploaded.',
            ),
        }}
        hideDefaultPreview
      >
        {hasText ? (
          <TextArea
            {...field.inputProps}
            className={isShown ? undefined : 'slipway-field__hidden-text'}
            aria-describedby={helpId(inputId)}
            aria-invalid={error !== undefined}
            value={value.content}
            onChange={(_, text) => set({ ...value, content: text })}
            validated={error ? 'error' : 'default'}
            isRequired={shell.isRequired}
            autoComplete="off"
            spellCheck={false}
            rows={3}
            resizeOrientation="vertical"
          />
        ) : (
          // No control of a binary file takes a ref, but its upload button can be focused.
          <span
            ref={(element) =>
              field.ref(element && { focus: () => element.parentElement?.querySelector('button')?.focus() })
            }
          />
        )}
      </FileUpload>
    </Field>
  )
}
