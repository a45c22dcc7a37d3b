"""An agent is a conversation with the model: that of a run, or one that the model delegates."""

import asyncio
import json

MAX_TURNS = 16


def tool(name: str, description: str, parameters: dict) -> dict:
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


# Tools that the model may call. An agent that was delegated cannot delegate.
LOOKUP = tool("lookup", "Looks something up.", {"type": "object"})
DELEGATE = tool(
    "delegate",
    "Lets an agent do a task.",
    {"type": "object", "properties": {"task": {"type": "string"}}, "required": ["task"]},
)


class Agent:
    def __init__(self, run, messages: list[str], call: str | None = None):
        self.run, self.messages, self.call = run, messages, call
        self.tools = json.dumps([LOOKUP] if call else [LOOKUP, DELEGATE])

    async def emit(self, event: str, /, **data):
        if self.call:
            data["agent"] = self.call
        await self.run.emit(event, data)

    async def loop(self) -> str:
        """Asks the model and calls tools until the model stops. Returns the last text."""
        for _ in range(MAX_TURNS):
            message = await self.ask()
            calls = message.get("tool_calls", [])
            async with asyncio.TaskGroup() as group:
                results = [group.create_task(self.call_tool(call["id"], **call["function"])) for call in calls]
            turn = [json.dumps(m) for m in [message, *(r.result() for r in results)]]
            if not self.call:
                await self.run.store(turn)
            self.messages += turn
            if not calls:
                return message["content"]
        raise RuntimeError(f"the model has not stopped after {MAX_TURNS} turns")

    def post(self, path: str, body: str):
        return self.run.client.post(path, data=body.encode(), headers={"Content-Type": "application/json"})

    async def ask(self) -> dict:
        """Sends the conversation to the model, and passes on what it says."""
        body = f'{{"model":"stub","stream":true,"messages":[{",".join(self.messages)}],"tools":{self.tools}}}'
        message, ended = {"role": "assistant", "content": ""}, False
        async with self.post("v1/chat/completions", body) as answer:
            if answer.status != 200:
                raise RuntimeError(f"model: {answer.status} {(await answer.text())[:1000]}")
            async for data in events(answer.content):
                if data == b"[DONE]":
                    ended = True
                    continue
                for choice in json.loads(data)["choices"]:
                    await self.hear(message, choice["delta"])
        if not ended:
            raise RuntimeError("model: the answer breaks off")
        if "tool_calls" in message:
            message["content"] = None
        return message

    async def hear(self, message: dict, delta: dict):
        """Adds a chunk to a message."""
        if text := delta.get("content"):
            message["content"] += text
            await self.emit("token", text=text)
        for image in delta.get("images", []):
            message.setdefault("images", []).append(image)
            await self.emit("image", url=image["image_url"]["url"])
        for part in delta.get("tool_calls", []):
            calls, index = message.setdefault("tool_calls", []), part.pop("index")
            if index < len(calls):
                calls[index]["function"]["arguments"] += part["function"]["arguments"]
            else:
                calls.append(part)

    async def call_tool(self, id: str, name: str, arguments: str) -> dict:
        """Returns the message with the result."""
        if name == "delegate" and not self.call:
            content = await self.delegate(id, arguments)
        else:
            await self.emit("tool_started", id=id, name=name)
            content, error = await self.lookup(name, arguments)
            await self.emit("tool_finished", id=id, **({"error": error} if error else {}))
        return {"role": "tool", "tool_call_id": id, "content": content}

    async def lookup(self, name: str, arguments: str) -> tuple[str, str | None]:
        """Returns the result for the model, and the error of a tool that failed."""
        if name != "lookup":
            error = f"no tool {name}"
        else:
            async with self.post("tools/lookup", arguments) as answer:
                text = await answer.text()
                if answer.status == 200:
                    return text, None
                error = f"status {answer.status}"
        return f"error: {error}", error

    async def delegate(self, id: str, arguments: str) -> str:
        """Runs another agent."""
        task = json.loads(arguments)["task"]
        await self.emit("agent_started", id=id)
        text = await Agent(self.run, [json.dumps({"role": "user", "content": task})], id).loop()
        await self.emit("agent_finished", id=id)
        return text


async def events(content):
    """Yields the data of server-sent events."""
    held = bytearray()  # of a line that has no end yet
    async for part in content.iter_any():
        *lines, rest = part.split(b"\n")
        for line in lines:
            held += line
            if held.startswith(b"data: "):
                yield bytes(held[6:])
            held.clear()
        held += rest
