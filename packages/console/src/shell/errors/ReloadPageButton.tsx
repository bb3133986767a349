import { FrameButton } from '../../ui/actions/FrameButton'

export const ReloadPageButton = () => <FrameButton onClick={() => location.reload()}>Reload Page</FrameButton>
