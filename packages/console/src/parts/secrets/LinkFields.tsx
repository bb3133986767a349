import { fieldsOf } from '../../ui/form/fields'
import type { OptionSource } from '../../ui/form/options'
import type { SecretInput } from './secret-form'

const { RadioField, MultiSelectField } = fieldsOf<Pick<SecretInput, 'linkOption' | 'components'>>()

/** What each of the options means, where it needs to be said. */
export type LinkHelp = Partial<Record<SecretInput['linkOption'], string>>

interface LinkFieldsProps {
  option: SecretInput['linkOption']
  components: OptionSource
  help?: LinkHelp
}

const ofExisting: LinkHelp = {
  none: 'You can link it to a component later.',
  all: 'All present and future components of the namespace.',
}

/** Which components' builds can use the secret. */
export const LinkFields = ({ option, components, help = ofExisting }: LinkFieldsProps) => (
  <>
    <RadioField
      name="linkOption"
      label="Link to components"
      options={[
        { value: 'none', label: 'None', description: help.none },
        { value: 'all', label: 'All', description: help.all },
        { value: 'partial', label: 'Selected components', description: help.partial },
      ]}
    />
    {option === 'partial' && <MultiSelectField name="components" label="Components" options={components} isRequired />}
  </>
)
