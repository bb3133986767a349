import DarkIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-dark-mode-icon'
import LightIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-light-mode-icon'
import SystemIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-auto-light-dark-mode-icon'
import { MenuButton } from '../ui/actions/MenuButton'
import { type Theme, themes, useTheme } from './theme'

const choices: Record<Theme, { label: string; description?: string; Icon: typeof DarkIcon }> = {
  system: { label: 'System', description: 'Follow system preference', Icon: SystemIcon },
  light: { label: 'Light', Icon: LightIcon },
  dark: { label: 'Dark', Icon: DarkIcon },
}

export function ThemeMenu() {
  const [theme, setTheme] = useTheme()
  const { Icon, label } = choices[theme]
  return (
    <MenuButton
      label={`Theme: ${label}`}
      title={`Theme: ${label}`}
      menuLabel="Theme"
      icon={<Icon />}
      choices={themes.map((choice) => {
        const { label, description, Icon } = choices[choice]
        return {
          label,
          description,
          icon: <Icon />,
          isSelected: choice === theme,
          onSelect: () => setTheme(choice),
        }
      })}
    />
  )
}
