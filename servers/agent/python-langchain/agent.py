"""An agent is a conversation with the model: that of a run, or one that the model delegates. LangChain's agent asks the
model, calls the tools, and asks again.

Own code, and why:
  - The middleware stores a turn before the model is asked again. It makes an error of an answer that breaks off.
  - Tools are tasks of a group. Else LangChain leaves those that still run when another one has failed.
  - lookup makes a text of a status other than 200, since an error of a tool ends the run.

Settings that are not the default:
  - max_retries 0 (default 2): a model that fails ends the run.
  - stream_chunk_timeout None (default 120 s): a model may think for long.
"""

import asyncio
import contextlib
import json
import os

from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware, ModelCallLimitMiddleware
from langchain.messages import AIMessageChunk
from langchain.tools import ToolRuntime, tool
from langchain_core.messages import convert_to_openai_messages
from langchain_openai import ChatOpenAI

MAX_TURNS = 16


class Turns(AgentMiddleware):
    """Finds the agent that it works for in the context of the call, as tools do."""

    async def abefore_model(self, state, runtime):
        await runtime.context.store(state["messages"])

    async def aafter_model(self, state, runtime):
        if "finish_reason" not in state["messages"][-1].response_metadata:
            raise RuntimeError("model: the answer breaks off")


@tool("lookup", description="Looks something up.", args_schema={"type": "object", "properties": {}})
async def lookup(runtime: ToolRuntime, **arguments) -> str:
    agent = runtime.context
    return await agent.tools.create_task(agent.lookup(runtime.tool_call_id, arguments))


@tool(description="Lets an agent do a task.")
async def delegate(task: str, runtime: ToolRuntime) -> str:
    agent = runtime.context
    return await agent.tools.create_task(agent.delegate(runtime.tool_call_id, task))


model = ChatOpenAI(
    model="stub", api_key="none", base_url=f"{os.environ['STUB_URL']}/v1", max_retries=0, stream_chunk_timeout=None
)
middleware = [Turns(), ModelCallLimitMiddleware(run_limit=MAX_TURNS, exit_behavior="error")]
delegating = create_agent(model, [lookup, delegate], middleware=middleware)
delegated = create_agent(model, [lookup], middleware=middleware)


class Agent:
    def __init__(self, run, messages: list[str], call: str | None = None):
        """messages are JSON. call is the id of the call of delegate. Without it the agent is the run's own."""
        self.run, self.messages, self.call = run, [json.loads(m) for m in messages], call
        self.stored = len(messages)

    async def emit(self, event: str, /, **data):
        if self.call:
            data["agent"] = self.call
        await self.run.emit(event, data)

    async def loop(self) -> str:
        """Asks the model and calls tools until the model stops. Returns the last text."""
        agent = delegated if self.call else delegating
        stream = agent.astream(
            {"messages": [{**m, "content": m["content"] or ""} for m in self.messages]},
            context=self,
            stream_mode=["messages", "values"],
        )
        async with asyncio.TaskGroup() as self.tools, contextlib.aclosing(stream):
            async for mode, data in stream:
                if mode == "values":
                    state = data
                elif isinstance(data[0], AIMessageChunk) and data[0].text:
                    await self.emit("token", text=data[0].text)
        await self.store(state["messages"])
        return state["messages"][-1].text

    async def store(self, messages: list):
        """Stores the turn at the end of messages. There is none before the first call of the model."""
        turn = messages[self.stored :]
        self.stored = len(messages)
        if turn and not self.call:
            await self.run.store([json.dumps(m) for m in convert_to_openai_messages(turn)])

    async def lookup(self, id: str, arguments: dict) -> str:
        await self.emit("tool_started", id=id, name="lookup")
        async with self.run.client.post("tools/lookup", json=arguments) as answer:
            text, error = await answer.text(), None
            if answer.status != 200:
                error = f"status {answer.status}"
                text = f"error: {error}"  # for the model
        await self.emit("tool_finished", id=id, **({"error": error} if error else {}))
        return text

    async def delegate(self, id: str, task: str) -> str:
        """Runs another agent."""
        await self.emit("agent_started", id=id)
        text = await Agent(self.run, [json.dumps({"role": "user", "content": task})], id).loop()
        await self.emit("agent_finished", id=id)
        return text
