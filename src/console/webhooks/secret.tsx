/** Shows the signing secret of a webhook. */
import { ShownSecret } from "../ui/shown-secret.tsx";

export const SigningSecret = ({
  title,
  secret,
  isRotated = false,
  onClose,
}: {
  title: string;
  secret: string;
  isRotated?: boolean;
  onClose: () => void;
}) => (
  <ShownSecret
    title={title}
    label="Signing secret"
    copy="Copy secret"
    secret={secret}
    note={isRotated && "For 24 hours the secret before signs too."}
    onClose={onClose}
  >
    The receiver checks each request with it.
  </ShownSecret>
);
