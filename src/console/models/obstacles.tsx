/** The conflicts of a plan that no consent takes away, each with its place. */

export function Obstacles({ obstacles }: { obstacles: readonly { path: string; message: string }[] }) {
  if (obstacles.length === 0) return null;
  return (
    <div class="form-faults" role="alert">
      <p>This stands against it:</p>
      <ul>
        {obstacles.map(({ path, message }) => (
          <li key={path + message}>
            <code>{path}</code> {message}
          </li>
        ))}
      </ul>
    </div>
  );
}
