// post sends JSON, and returns the text of the answer. It is how the plain server calls a tool.

export async function post(url, body, signal) {
  const answer = await fetch(url, {
    method: "POST", body, headers: { "Content-Type": "application/json" }, signal, timeout: false, // a tool may take long
  });
  const text = await answer.text();
  if (answer.status !== 200) {
    throw new Error(`status ${answer.status}`);
  }
  return text;
}
