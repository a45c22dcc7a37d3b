import type { ComponentChildren } from 'preact';

export function Notice({
  children,
  role,
}: {
  children: ComponentChildren;
  role?: 'alert' | 'status';
}) {
  return (
    <div class="notice" {...(role ? { role } : {})}>
      {children}
    </div>
  );
}
