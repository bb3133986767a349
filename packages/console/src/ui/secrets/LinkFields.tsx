import { fieldsOf } from '../form/fields'
import type { OptionSource } from '../form/options'
import type { SecretInput } from './secret-form'

const { RadioField, MultiSelectField } = fieldsOf<Pick<SecretInput, 'linkOption' | 'components'>>()

interface LinkFieldsProps {
  option: SecretInput['linkOption']
  components: OptionSource
}

/** Which components' builds can use the secret. */
export const LinkFields = ({ option, components }: LinkFieldsProps) => (
  <>
    <RadioField
      name="linkOption"
      label="Link to components"
      options={[
        { value: 'none', label: 'None', description: 'You can link it to a component later.' },
        { value: 'all', label: 'All', description: 'All present and future components of the namespace.' },
        { value: 'partial', label: 'Selected components' },
      ]}
    />
    {option === 'partial' && <MultiSelectField name="components" label="Components" options={components} isRequired />}
  </>
)
