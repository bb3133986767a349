import type { ClipboardEvent } from 'react'
import { useFormContext } from 'react-hook-form'
import { fieldsOf } from '../../ui/form/fields'
import { type SecretInput, sourceIn } from './secret-form'

type Source = Pick<SecretInput, 'host' | 'repository'>
const { TextField } = fieldsOf<Source>()

/** What the credentials of a git host apply to. The URL of a repository can be pasted into either field. */
export function RepositoryFields() {
  const { setValue, trigger } = useFormContext<Source>()
  const onPaste = (event: ClipboardEvent) => {
    const source = sourceIn(event.clipboardData.getData('text'))
    if (!source) return
    event.preventDefault()
    setValue('host', source.host, { shouldDirty: true, shouldTouch: true })
    setValue('repository', source.repository, { shouldDirty: true, shouldTouch: true })
    void trigger(['host', 'repository'])
  }
  return (
    <div className="slipway-rows__fields" onPaste={onPaste}>
      <TextField
        name="host"
        label="Host"
        placeholder="gitlab.com"
        description="Builds of repositories on this host can use it."
      />
      <TextField
        name="repository"
        label="Repository"
        placeholder="organization/repository"
        description="Only builds of this repository. Paste its URL to fill in both."
      />
    </div>
  )
}
