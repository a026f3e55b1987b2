/**
 * Asks the system for a file.
 *
 * @param accept kinds of files that the system's dialog offers first, as of an input's attribute; any when absent
 */
export function askForFile(take: (file: File) => void, accept = ''): void {
  const field = document.createElement('input');
  field.type = 'file';
  field.accept = accept;
  field.hidden = true;
  field.addEventListener('change', () => {
    const [file] = field.files ?? [];
    field.remove();
    if (file !== undefined) take(file);
  });
  field.addEventListener('cancel', () => field.remove());
  // Outside the page nothing holds it: collected while the dialog is open it would never hear of the answer.
  document.body.append(field);
  field.click();
}
